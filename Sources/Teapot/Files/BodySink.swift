import TeapotFoundation

/// Receives the body of a response with a status from 200 to 299 piece by piece, so that it is not kept in memory. The bodies
/// of other responses are kept for the error.
///
/// An error that it throws ends the exchange. Files are written on a queue of its own: a thread that ends a call does not wait
/// for a disk.
protocol BodySink: Sendable {
    /// The transport can pause the body from now on.
    func started()

    /// The response arrived; pieces of its body follow, one after the other.
    func begin(_ response: HTTPURLResponse) throws(TeapotError)

    func receive(_ piece: Data) throws(TeapotError)

    /// The body ended early: the request may be sent again.
    ///
    /// - Returns: Header fields to change for that (`nil` removes one); `nil` if it is too late.
    func startOver() -> [String: String?]?

    /// Whether the body got further than ever before in this call, and the next attempt resumes there.
    func hasProgressed() -> Bool

    /// The sink threw an error because it could not use the response: the request may be sent again, with or without a retry
    /// policy.
    ///
    /// - Returns: Header fields to change for that (`nil` removes one); `nil` if the request is not to be sent again.
    func askAnew() -> [String: String?]?

    /// The call is over, with this outcome. It may be called on another thread during the others, and does not wait. `then`
    /// takes the final outcome, once, on any thread.
    func finish(_ outcome: Call.Outcome, then: @escaping @Sendable (Call.Outcome) -> Void)
}

extension BodySink {
    func started() {}
    func hasProgressed() -> Bool { false }
    func askAnew() -> [String: String?]? { nil }
}
