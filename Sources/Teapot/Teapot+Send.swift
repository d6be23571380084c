public import TeapotFoundation

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

    /// Sends a request, and waits for the response.
    ///
    /// - Parameter request: What to send.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: What went wrong; `cancelled` when the task that waits was cancelled, which ends the exchange at once. A task
    ///   that was cancelled before sends nothing.
    @discardableResult
    public func send(_ request: Request) async throws(TeapotError) -> Response {
        try await response { () throws(TeapotError) in request }
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
        let (exchange, isPathValid) = begin(
            makeRequest,
            deliveryQueue: deliveryQueue ?? (completesInline ? nil : defaultDeliveryQueue),
            delayedDeliveryQueue: defaultDeliveryQueue,
            prepare: prepare
        )
        return isPathValid ? ExchangeTask.make(for: exchange) : nil
    }

    /// The funnel for async callers: the outcome comes exactly once, to a continuation.
    ///
    /// - Parameters:
    ///   - hooks: What else the caller wants; `cancelled` is set here.
    ///   - meter: What has its last word before the outcome is delivered.
    ///   - makeRequest: Makes the request, or says why there is none.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: What went wrong.
    func response(
        hooks: Exchange.Hooks = Exchange.Hooks(),
        meter: ProgressMeter? = nil,
        to makeRequest: () throws(TeapotError) -> Request
    ) async throws(TeapotError) -> Response {
        guard !Task.isCancelled else { throw .cancelled() }
        let call = Locked<Exchange?>(nil)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Exchange.Outcome, Never>) in
                let deliver = { @Sendable (outcome: Exchange.Outcome) in
                    guard let meter else { return continuation.resume(returning: outcome) }
                    meter.finish { continuation.resume(returning: outcome) }
                }
                var hooks = hooks
                hooks.cancelled = { deliver(.failure($0)) }
                let (exchange, _) = begin(makeRequest, deliveryQueue: nil, hooks: hooks) { outcome, _ in
                    { deliver(outcome) }
                }
                call.withLock { $0 = exchange }
                // The handler may have been called before there was an exchange.
                if Task.isCancelled { exchange.cancel() }
            }
        } onCancel: {
            call.withLock { $0 }?.cancel()
        }
        return try outcome.get()
    }

    /// Begins an exchange.
    ///
    /// - Parameters:
    ///   - makeRequest: Makes the request, or says why there is none.
    ///   - deliveryQueue: Where the outcome is delivered; `nil` for at once, on the thread that has it.
    ///   - delayedDeliveryQueue: Where it is delivered instead of at once when the exchange had to wait.
    ///   - transport: What carries the request, if it is not the usual transport.
    ///   - hooks: What else the caller wants of the exchange.
    ///   - prepare: Shapes the outcome.
    /// - Returns: The exchange, under way or over, and whether the path was valid.
    func begin(
        _ makeRequest: () throws(TeapotError) -> Request,
        deliveryQueue: DispatchQueue?,
        delayedDeliveryQueue: DispatchQueue? = nil,
        transport: (any Transport)? = nil,
        hooks: Exchange.Hooks = Exchange.Hooks(),
        prepare: @escaping @Sendable (Exchange.Outcome, _ requestURL: URL) -> @Sendable () -> Void
    ) -> (exchange: Exchange, isPathValid: Bool) {
        let settings = currentSettings
        let prepared = Result { () throws(TeapotError) in
            let request = try makeRequest()
            let (urlRequest, bodyFile) = try urlRequest(for: request, settings)
            return (urlRequest: urlRequest, bodyFile: bodyFile, request: request)
        }
        let sent = try? prepared.get()
        let requestURL = sent?.urlRequest.url ?? settings.baseURL
        let exchange = Exchange(
            transport: transport ?? self.transport,
            context: Exchange.Context(
                cookies: cookies,
                log: ExchangeLog(logger: settings.logger, secrets: settings.secretPolicy),
                maximumResponseSize: settings.maximumResponseSize,
                timeout: sent?.request.timeout,
                time: time,
                deliveryQueue: deliveryQueue,
                delayedDeliveryQueue: delayedDeliveryQueue,
                decoder: settings.decoder,
                plugins: settings.plugins,
                authenticator: settings.authenticator.flatMap { $0.isRefreshedByCurrentTask ? nil : $0 },
                retries: settings.retryPolicy,
                isIdempotent: sent?.request.isIdempotent,
                endpoint: sent?.request.endpoint,
                hooks: hooks
            ),
            prepare: { prepare($0, requestURL) }
        )
        switch prepared {
        case .success(let (urlRequest, bodyFile, _)):
            exchange.start(urlRequest, bodyFile: bodyFile)
        case .failure(let error):
            exchange.fail(error)
            return (exchange, error.type != .invalidRequestPath)
        }
        return (exchange, true)
    }
}
