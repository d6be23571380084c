public import TeapotFoundation

/// Carries requests to a server and returns the responses.
///
/// A ``Teapot/Teapot`` does everything else itself (paths, header checks, cookies, redirects, timeouts, limits, logging, status
/// rules), so that all of it is the same with every transport. ``URLSessionTransport`` and TeapotCurl's transport connect to
/// servers; TeapotMock's answers from files.
public protocol Transport: Sendable {
    /// Starts one exchange: one request, one response, no redirect followed.
    ///
    /// - Parameters:
    ///   - request: A checked request with an http or https URL. The caller handles its timeout.
    ///   - bodyFile: A regular file that is the request's body, to be streamed; `nil` if the body is in the request, or
    ///     missing.
    ///   - receive: Takes the events: the response, any number of pieces of the body, and then, exactly once and last,
    ///     ``TransportEvent/finished(_:)``. Call it from any thread, also before this method returns, but not from two threads
    ///     at once. It may write to a file, but waits for nothing else.
    /// - Returns: The exchange, to cancel it.
    func start(
        _ request: URLRequest,
        bodyFile: URL?,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask
}

/// An event that a ``Transport`` reports for one exchange.
public enum TransportEvent: Sendable {
    /// More bytes of the request's body were sent: progress, for the timeout and for the caller of an upload. Zero if the
    /// server showed activity in another way, such as with a 102 (RFC 2518, section 10.1).
    case sent(Int)
    /// The status and header fields arrived. At most once, and before any data.
    case response(HTTPURLResponse)
    /// A piece of the body arrived, decompressed.
    case data(Data)
    /// The transport's measurements, before the end; not all transports have them.
    indirect case measured(Teapot.Timings)
    /// The exchange is over: `nil` if the response is complete. A ``TeapotError`` reaches the caller unchanged, any other error
    /// as the cause of `noResponse` or `dataTaskError`.
    case finished((any Error)?)
}

/// One exchange of a ``Transport``, under way or over.
public protocol TransportTask: Sendable {
    /// Ends the exchange at once. It can be called at any moment, any number of times, from any thread.
    ///
    /// The transport still reports the end, ``TransportEvent/finished(_:)``, once: with an error, unless the response was
    /// already complete. All its events after this call are ignored.
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

/// A transport that shares details of an exchange with Teapot.
package protocol InformedTransport: Sendable {
    /// Whether it answers on the calling thread: completions are called there, too, unless a call names a queue or has to wait.
    var answersAtOnce: Bool { get }

    /// The transport for a caller that waits on this very thread, so not one whose events arrive here.
    var forBlocking: any InformedTransport { get }

    /// Starts one exchange like ``Transport/start(_:bodyFile:receive:)``, and returns a task to cancel or a delay to wait for.
    func start(
        _ request: URLRequest,
        _ details: ExchangeDetails,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> StartedExchange
}

extension InformedTransport {
    package var answersAtOnce: Bool { false }
    package var forBlocking: any InformedTransport { self }

    /// Starts one exchange without details.
    package func start(
        uninformed request: URLRequest,
        bodyFile: URL?,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        var details = ExchangeDetails()
        details.isIdempotent = request.httpMethod.flatMap(HTTPMethod.init)?.isIdempotent ?? false
        do throws(TeapotError) {
            if let bodyFile { details.bodyFile = try BodyFile(bodyFile) }
            switch start(request, details, receive: receive) {
            case .over: break
            case .underWay(let task): return task
            case .scheduled(let task, _): return task
            }
        } catch {
            receive(.finished(error))
        }
        return EndedTask()
    }
}

/// The task of an exchange that could not start.
private struct EndedTask: TransportTask {
    func cancel() {}
}

/// The details of an exchange besides its request.
package struct ExchangeDetails: Sendable {
    /// The endpoint that the request was made from.
    package var endpoint: (any Endpoint)?
    /// The file that is the request's body.
    package var bodyFile: BodyFile?
    /// Whether the request may be sent twice.
    package var isIdempotent = false
    /// The credentials in use for the request, which are secrets everywhere.
    package var credentials: [Credential] = []
    /// The secrets that texts of this client redact.
    package var secrets = SecretPolicy.standard

    /// The secrets that texts about this exchange redact.
    package var allSecrets: SecretPolicy { secrets.adding(credentials) }

    package init(
        endpoint: (any Endpoint)? = nil,
        bodyFile: BodyFile? = nil,
        isIdempotent: Bool = false,
        credentials: [Credential] = [],
        secrets: SecretPolicy = .standard
    ) {
        self.endpoint = endpoint
        self.bodyFile = bodyFile
        self.isIdempotent = isIdempotent
        self.credentials = credentials
        self.secrets = secrets
    }
}

/// The result of starting an exchange.
package enum StartedExchange: Sendable {
    /// The exchange has already reported its end.
    case over
    case underWay(any TransportTask)
    /// The task reports its events at these times after the start, when the call asks for them: one call has one timer.
    case scheduled(any ScheduledTask, [Duration])
}

/// A task whose events come at known times.
package protocol ScheduledTask: TransportTask {
    /// Reports the events that are next, on the calling thread.
    func reportNext()
}

/// A task that may have to wait for a connection.
package protocol QueuedTask: TransportTask {
    /// What it waits for, such as "one of 6 connections to api.example.com"; `nil` once it has a connection.
    var line: String? { get }
}

extension Transport {
    /// The transport with details. Called once, when a client is made.
    package var informed: any InformedTransport { self as? any InformedTransport ?? PlainTransport(self) }
}

/// Any other transport.
private final class PlainTransport: InformedTransport {
    private let transport: any Transport

    init(_ transport: any Transport) { self.transport = transport }

    func start(
        _ request: URLRequest,
        _ details: ExchangeDetails,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> StartedExchange {
        .underWay(transport.start(request, bodyFile: details.bodyFile?.url, receive: receive))
    }
}
