public import TeapotFoundation

/// The only seam of Teapot: what carries a request to a server and brings back what came.
///
/// A ``Teapot/Teapot`` does everything else itself (paths, header checks, cookies, redirects, timeouts, limits, logging,
/// status rules), so that all of it is the same whatever the transport is. ``URLSessionTransport`` talks to servers,
/// as does TeapotCurl's; TeapotMock's answers from files.
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
    /// What the transport has measured, before the end; not all do.
    case measured(Teapot.Timings)
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

/// A transport that makes use of what Teapot knows of an exchange, and that Teapot knows something of.
package protocol InformedTransport: Sendable {
    /// Whether it answers on the thread that asks: completions are called there, too, unless a call names a queue or has to wait.
    var answersAtOnce: Bool { get }

    /// The transport for a caller that waits on this very thread: not the one whose events come here.
    var forBlocking: any InformedTransport { get }

    /// Starts one exchange, as ``Transport/start(_:bodyFile:receive:)`` does, and returns what there is to cancel or to wait for.
    func start(
        _ request: URLRequest,
        _ details: ExchangeDetails,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> StartedExchange
}

extension InformedTransport {
    package var answersAtOnce: Bool { false }
    package var forBlocking: any InformedTransport { self }

    /// Starts one exchange for somebody who knows no details of it.
    package func start(
        uninformed request: URLRequest,
        bodyFile: URL?,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        var details = ExchangeDetails()
        details.isIdempotent = request.httpMethod.flatMap(HTTPMethod.init)?.isIdempotent ?? false
        do throws(TeapotError) {
            if let bodyFile { details.bodyFile = try BodyFile(bodyFile) }
            if case .underWay(let task) = start(request, details, receive: receive) { return task }
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

/// What is known of an exchange besides its request.
package struct ExchangeDetails: Sendable {
    /// What the request was made of.
    package var endpoint: (any Endpoint)?
    /// The file that is the request's body.
    package var bodyFile: BodyFile?
    /// Whether the request may be sent twice.
    package var isIdempotent = false
    /// The credentials that are in use for the request: secrets wherever they stand.
    package var credentials: [Credential] = []
    /// What texts of this client do not show.
    package var secrets = SecretPolicy.standard

    /// What texts about this exchange do not show.
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

/// What came of starting an exchange.
package enum StartedExchange: Sendable {
    /// It has reported its end.
    case over
    case underWay(any TransportTask)
    /// It is to answer later: so long after it was started.
    case delayed(Duration, DelayedAnswer)
}

/// An answer that is given or cancelled, once.
package struct DelayedAnswer: TransportTask {
    package let give: @Sendable () -> Void
    private let cancelled: @Sendable () -> Void

    package init(give: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void) {
        (self.give, cancelled) = (give, cancel)
    }

    package func cancel() { cancelled() }
}

extension Transport {
    /// The transport as one that is informed. Asked for once, when a client is made.
    package var informed: any InformedTransport { self as? any InformedTransport ?? PlainTransport(transport: self) }
}

/// Any other transport.
private struct PlainTransport: InformedTransport {
    let transport: any Transport

    func start(
        _ request: URLRequest,
        _ details: ExchangeDetails,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> StartedExchange {
        .underWay(transport.start(request, bodyFile: details.bodyFile?.url, receive: receive))
    }
}
