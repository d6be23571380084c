/// The failure of a step.
struct Mismatch: Error, CustomStringConvertible {
    let expected: String
    let found: String

    var description: String { "expected \(expected), found: \(found)" }
}

/// Compares a value with the expected one.
///
/// - Throws: `Mismatch` with both values.
func expect<Value: Equatable>(_ expected: Value, found: Value) throws {
    guard expected == found else { throw Mismatch(expected: "\(expected)", found: "\(found)") }
}
