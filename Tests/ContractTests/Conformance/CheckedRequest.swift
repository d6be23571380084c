import Teapot

/// One request of a row, by the name it has in a violation.
struct CheckedRequest: Sendable {
    let behavior: String
    /// Method and path.
    let name: String

    func violation(expected: String, received: String) -> TransportBehavior.Violation {
        TransportBehavior.Violation(behavior: behavior, request: name, expected: expected, received: received)
    }

    func expect(_ isMet: Bool, _ expected: String, received: @autoclosure () -> String) throws {
        guard isMet else { throw violation(expected: expected, received: received()) }
    }

    /// Expects a value, which the violation shows, of something, which it names.
    func expect<Value: Equatable>(_ subject: String, _ received: Value, is expected: Value) throws {
        try expect(received == expected, "\(subject) \(expected)", received: "\(subject) \(received)")
    }

    /// Expects bytes, of which the violation shows the number, and where they differ.
    func expect(_ subject: String, _ received: Data, is expected: Data) throws {
        guard received != expected else { return }
        let difference = zip(received, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        throw violation(
            expected: "\(subject) of \(expected.count) bytes",
            received: "\(subject) of \(received.count) bytes"
                + (difference.map { ", which differs from byte \($0) on" } ?? "")
        )
    }
}
