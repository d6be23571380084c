internal import TeapotFoundation

/// Takes the body of a response with a status from 200 to 299 as it comes, so that it need not be kept in memory. The bodies
/// of other responses are kept for the error.
///
/// What is thrown ends the exchange. Files are written on a queue of its own: whoever ends a call does not wait for a disk.
protocol BodySink: Sendable {
    /// The transport can be asked to hold back from now on.
    func started()

    /// The response came; pieces of its body follow, one after the other.
    func begin(_ response: HTTPURLResponse) throws(TeapotError)

    func receive(_ piece: Data) throws(TeapotError)

    /// What came of the body is all that comes: the request may be sent again.
    ///
    /// - Returns: Header fields to change for that, `nil` being none; `nil` if it is too late.
    func startOver() -> [String: String?]?

    /// Whether the body has come further than ever before in this call, and the next attempt goes on from there.
    func hasProgressed() -> Bool

    /// The sink has thrown something, and the response was of no use to it: the request may be sent again, whether or not there is
    /// a retry policy.
    ///
    /// - Returns: Header fields to change for that, `nil` being none; `nil` if nothing is to be sent again.
    func askAnew() -> [String: String?]?

    /// The call is over, with this outcome; called also from another thread in the midst of the others. Does not wait. `then` takes
    /// the outcome that there is after all, once, on any thread.
    func finish(_ outcome: Call.Outcome, then: @escaping @Sendable (Call.Outcome) -> Void)
}

extension BodySink {
    func started() {}
    func hasProgressed() -> Bool { false }
    func askAnew() -> [String: String?]? { nil }
}
