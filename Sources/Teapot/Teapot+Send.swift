public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension Teapot {
    /// Sends a request: the one way through, which every verb takes.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - deliveryQueue: Where the completion is called; the default delivery queue if `nil`.
    ///   - completion: Called exactly once, unless the task is cancelled: with a response whose status is from 200 to 299, or
    ///     with an error.
    /// - Returns: A task to suspend, resume and cancel the call; `nil` when the path is invalid.
    @discardableResult
    public func send(
        _ request: Request,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (Result<Response, TeapotError>) -> Void
    ) -> URLSessionTask? {
        send({ () throws(TeapotError) in request }, deliveryQueue: deliveryQueue) { outcome, _ in
            { completion(outcome) }
        }
    }

    /// The funnel. Whatever fails before sending is an outcome like any other, delivered in the same way.
    ///
    /// - Parameters:
    ///   - makeRequest: Makes the request, or says why there is none.
    ///   - deliveryQueue: Where the outcome is delivered.
    ///   - prepare: Shapes the outcome for the caller, off the delivery queue; what it returns delivers it. Also takes the URL
    ///     that was asked for.
    /// - Returns: The caller's task; `nil` when the path is invalid.
    func send(
        _ makeRequest: () throws(TeapotError) -> Request,
        deliveryQueue: DispatchQueue?,
        prepare: @escaping @Sendable (Exchange.Outcome, _ requestURL: URL) -> @Sendable () -> Void
    ) -> URLSessionTask? {
        let settings = currentSettings
        let prepared = Result { () throws(TeapotError) in
            let request = try makeRequest()
            return (urlRequest: try urlRequest(for: request, settings), timeout: request.timeoutInterval)
        }
        let sent = try? prepared.get()
        let requestURL = sent?.urlRequest.url ?? settings.baseURL
        let exchange = Exchange(
            transport: transport,
            context: Exchange.Context(
                cookies: cookies,
                redirects: RedirectPolicy(secrets: settings.secretPolicy),
                log: ExchangeLog(logger: settings.logger, secrets: settings.secretPolicy),
                maximumResponseSize: settings.maximumResponseSize,
                timeout: sent.flatMap { IdleTimer.limit(for: $0.timeout) },
                deliveryQueue: queue(for: deliveryQueue)
            ),
            prepare: { prepare($0, requestURL) }
        )
        switch prepared {
        case .success(let (urlRequest, _)):
            exchange.start(urlRequest)
        case .failure(let error):
            exchange.fail(error)
            if error.type == .invalidRequestPath { return nil }
        }
        return ExchangeTask.make(for: exchange)
    }
}
