/// A call did not come to what it should: its time would say nothing.
struct FailedCall: Error, CustomStringConvertible {
    let name: String

    var description: String { "a call of \(name) failed" }
}
