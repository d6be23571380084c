/// A step did not do what it should.
struct Mismatch: Error, CustomStringConvertible {
    let expected: String
    let found: String

    var description: String { "expected \(expected), found: \(found)" }
}

/// Goes on only if a value is what it should be.
///
/// - Throws: `Mismatch` with both values.
func expect<Value: Equatable>(_ expected: Value, found: Value) throws {
    guard expected == found else { throw Mismatch(expected: "\(expected)", found: "\(found)") }
}
