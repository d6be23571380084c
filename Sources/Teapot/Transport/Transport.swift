public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The only seam of Teapot: what carries a request to a server and brings back what came.
///
/// A ``Teapot/Teapot`` does everything else itself (paths, header checks, cookies, redirects, timeouts, limits, logging,
/// status rules), so that all of it is the same whatever the transport is. ``URLSessionTransport`` talks to servers;
/// TeapotMock's answers from files.
public protocol Transport: Sendable {
    /// Starts one exchange: one request, one response, no redirect followed.
    ///
    /// - Parameters:
    ///   - request: A checked request with an http or https URL. Its timeout is kept by the caller.
    ///   - bodyFile: A regular file that is the request's body, to be streamed; `nil` when the body is in the request, or when
    ///     there is none.
    ///   - receive: Takes the events: the response, any number of pieces of the body, and then, exactly once and last,
    ///     ``TransportEvent/finished(_:)``. Call it from any thread, also before this method returns, but not from two
    ///     threads at once. It may write to a file, and waits for nothing else.
    /// - Returns: The exchange, to cancel it.
    func start(
        _ request: URLRequest,
        bodyFile: URL?,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask
}

/// What a ``Transport`` reports of one exchange.
public enum TransportEvent: Sendable {
    /// So many more bytes of the request's body were sent: progress, for the timeout and for the caller of an upload. None, when
    /// the server has shown in another way that it is at work, as with a 102 (RFC 2518, section 10.1).
    case sent(Int)
    /// Status and header fields came. At most once, and before any data.
    case response(HTTPURLResponse)
    /// A piece of the body came, decompressed.
    case data(Data)
    /// The exchange is over: `nil` when the response is whole. A ``TeapotError`` reaches the caller as it is, any other error
    /// as the cause of `noResponse` or `dataTaskError`.
    case finished((any Error)?)
}

/// One exchange of a ``Transport``, under way or over.
public protocol TransportTask: Sendable {
    /// Ends the exchange, whatever it waits for. May be called at any moment, any number of times, from any thread.
    ///
    /// The transport still reports the end, ``TransportEvent/finished(_:)``, once: with an error, unless the response was whole
    /// already. Nothing that it reports after this call is looked at.
    func cancel()

    /// Asks to hold back what comes of the body, since it is not read fast enough; does nothing by default. What is reported
    /// all the same is kept on disk. May be called at any moment, from any thread, but not together with ``resume()``.
    func suspend()

    /// Asks to go on after ``suspend()``; does nothing by default.
    func resume()

    /// The task to hand to callers on platforms where Teapot cannot make one of its own (Apple's); `nil` by default.
    var urlSessionTask: URLSessionTask? { get }
}

extension TransportTask {
    /// `nil`: Teapot's own task is handed out where there is one.
    public var urlSessionTask: URLSessionTask? { nil }

    /// Does nothing.
    public func suspend() {}

    /// Does nothing.
    public func resume() {}
}
