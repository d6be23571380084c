public import TeapotFoundation

/// Carries requests to a server and returns the responses.
///
/// A ``Teapot/Teapot`` does everything else itself (paths, header checks, cookies, redirects, timeouts, limits, logging, status
/// rules), in the same way with every transport. ``URLSessionTransport`` and TeapotCurl's transport connect to servers; TeapotMock's
/// answers from files. A transport in front of another should pass on all requests and events, also events that it does not know.
public protocol Transport: Sendable {
    /// Starts one exchange: one request, one response, no redirect followed.
    ///
    /// - Parameters:
    ///   - request: A checked request. The caller handles its timeout.
    ///   - receive: Takes the events: the response, any number of pieces of the body, and then, exactly once and last,
    ///     ``TransportEvent/finished(_:)``. Call it from any thread, also before this method returns, but not from two threads
    ///     at once. It may write to a file, but waits for nothing else.
    /// - Returns: The exchange, to cancel it; `nil` if it is over.
    func start(_ request: TransportRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> (
        any TransportTask
    )?
}

/// One exchange of a ``Transport``, under way or over.
public protocol TransportTask: Sendable {
    /// Ends the exchange at once. It can be called at any moment, any number of times, from any thread. The transport still
    /// reports one ``TransportEvent/finished(_:)``: with an error, unless the response was complete. All its other events after
    /// this call are ignored.
    func cancel()

    /// Asks to pause the body, which arrives faster than it is read; does nothing by default. Data that still arrives is kept
    /// on disk. It can be called at any moment, from any thread, but not together with ``resume()``.
    func suspend()

    /// Asks to continue after ``suspend()``; does nothing by default.
    func resume()

    /// The task for callers on platforms where Teapot cannot make one of its own (Apple's); `nil` by default.
    var urlSessionTask: URLSessionTask? { get }
}

extension TransportTask {
    /// `nil`: callers get Teapot's own task where there is one.
    public var urlSessionTask: URLSessionTask? { nil }

    /// Does nothing.
    public func suspend() {}

    /// Does nothing.
    public func resume() {}
}
