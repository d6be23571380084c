import TeapotFoundation

extension Teapot { typealias Outcome = Result<Response, TeapotError> }

/// Receives the body of a response with a status from 200 to 299 piece by piece, so that it is not kept in memory; a reader, also the
/// body of another status that the request accepts. All other bodies are kept for the response or the error.
///
/// An error that a sink throws ends the exchange. A sink writes files on a queue of its own, so that a thread that ends a call does not
/// wait for a disk.
protocol BodySink: AnyObject, Sendable {
    /// Whether the sink passes the body to a task that reads it. Then no other attempt can begin once a part has arrived,
    /// and the sink also takes the bodies of other statuses that the request accepts. Only a success becomes a file.
    var isReader: Bool { get }
    /// The transport can pause the body from now on.
    func started()
    /// The response arrived. The pieces of its body follow, one after the other.
    func begin(_ response: ResponseHead) throws(TeapotError)
    func receive(_ piece: Data) throws(TeapotError)
    /// The part of the body that the sink has, for the next attempt; `nil` if the reader already got the beginning. The owner of the
    /// call's loop asks for it once the exchange is over.
    var partialBody: PartialBody? { get }
    /// The call is over, with this outcome. The method may be called on another thread during the others, and does not wait. `then`
    /// takes the final outcome, once, on any thread.
    func finish(_ outcome: Teapot.Outcome, then: @escaping @Sendable (Teapot.Outcome) -> Void)
}
