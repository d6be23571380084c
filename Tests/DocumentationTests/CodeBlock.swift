import Testing

/// The code that a step of the example shows.
struct CodeBlock: Sendable, CustomTestStringConvertible {
    /// The path and the number of its first line.
    let location: String
    /// The lines, without indentation, and without the blank ones.
    let lines: [String]

    var testDescription: String { location }
}
