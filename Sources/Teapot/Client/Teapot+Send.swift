public import TeapotFoundation

extension Teapot {
    /// Sends a request. Every verb goes through this method.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - deliveryQueue: The queue for the completion; the default delivery queue if `nil`.
    ///   - completion: Called exactly once, unless the task is cancelled: with a response whose status is from 200 to 299, or
    ///     with an error.
    /// - Returns: A task to suspend, resume and cancel the call; `nil` if the path is invalid.
    @discardableResult
    public func send(
        _ request: Request,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (Result<Response, TeapotError>) -> Void
    ) -> URLSessionTask? {
        send(request, deliveryQueue: deliveryQueue) { outcome, _ in { completion(outcome) } }
    }

    /// Sends a request, and waits for the response.
    ///
    /// - Parameter request: The request to send.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: The error of the call; `cancelled` if the waiting task was cancelled, which ends the exchange at once. A task
    ///   that was cancelled before sends nothing.
    @discardableResult
    public func send(_ request: Request) async throws(TeapotError) -> Response {
        try await response(to: request)
    }

    /// The funnel of all calls. A failure before sending is an outcome like any other, delivered in the same way. `prepare`
    /// shapes the outcome off the delivery queue; the closure that it returns delivers it.
    func send(
        _ request: @autoclosure () throws(TeapotError) -> Request,
        deliveryQueue: DispatchQueue?,
        prepare: @escaping @Sendable (Call.Outcome, _ requestURL: URL) -> @Sendable () -> Void
    ) -> URLSessionTask? {
        let (call, isPathValid) =
            switch (deliveryQueue, transport.answersAtOnce) {
            case (let queue?, true): begin(request, awaiting: queue, prepare: prepare)
            case (nil, true): begin(request, .atOnceOrOn(defaultDeliveryQueue), prepare: prepare)
            case (let queue, false): begin(request, .queue(queue ?? defaultDeliveryQueue), prepare: prepare)
            }
        return isPathValid ? CallTask.make(for: call) : nil
    }

    /// Begins a call. If it already has an outcome, waits up to a second until the queue has delivered it, so that a test of
    /// code that names a queue needs no expectation. A queue that is suspended, or waits for this thread, delivers it later.
    private func begin(
        _ request: () throws(TeapotError) -> Request,
        awaiting queue: DispatchQueue,
        prepare: @escaping @Sendable (Call.Outcome, _ requestURL: URL) -> @Sendable () -> Void
    ) -> (call: Call, isPathValid: Bool) {
        let isDelivered = DispatchSemaphore(value: 0)
        let begun = begin(request, .awaited(queue)) { outcome, requestURL in
            let deliver = prepare(outcome, requestURL)
            return {
                deliver()
                isDelivered.signal()
            }
        }
        guard begun.call.read(\.hasOutcome) else { return begun }
        if queue.isCurrent { begun.call.deliver() }
        _ = isDelivered.wait(timeout: .now() + 1)
        return begun
    }

    /// The funnel for async callers: the continuation gets the outcome once, after the meter's last report. It sets `cancelled`.
    func response(
        to request: @autoclosure () throws(TeapotError) -> Request,
        hooks: Call.Hooks = Call.Hooks(),
        meter: ProgressMeter? = nil
    ) async throws(TeapotError) -> Response {
        guard !Task.isCancelled else { throw .cancelled() }
        let state = Locked<(call: Call?, outcome: Call.Outcome?)>((nil, nil))
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let deliver = { @Sendable (outcome: Call.Outcome) in
                    state.withLock { $0.outcome = outcome }
                    guard let meter else { return continuation.resume() }
                    meter.finish { continuation.resume() }
                }
                var hooks = hooks
                hooks.cancelled = { deliver(.failure($0)) }
                begin(request, .atOnce, hooks: hooks) { call in
                    state.withLock { $0.call = call }
                    // The handler may have been called before there was a call.
                    if Task.isCancelled { call.cancel() }
                } prepare: { outcome, _ in
                    { deliver(outcome) }
                }
            }
        } onCancel: {
            state.withLock { $0.call }?.cancel()
        }
        // The call keeps its closures, which keep this state: letting go of the call ends the circle.
        let outcome = state.withLock { state in
            defer { state = (nil, nil) }
            return state
        }.outcome
        return try (outcome ?? .failure(.cancelled())).get()
    }

    /// Begins a call, optionally with another transport. `willBegin` takes the call before anything is sent, and may cancel it;
    /// `prepare` shapes the outcome, and also takes the requested URL.
    ///
    /// - Returns: The call, under way or over, and whether the path was valid.
    @discardableResult
    func begin(
        _ request: () throws(TeapotError) -> Request,
        _ delivery: Call.Delivery,
        transport: (any InformedTransport)? = nil,
        hooks: Call.Hooks = Call.Hooks(),
        willBegin: (Call) -> Void = { _ in },
        prepare: @escaping @Sendable (Call.Outcome, _ requestURL: URL) -> @Sendable () -> Void
    ) -> (call: Call, isPathValid: Bool) {
        // First, as an endpoint may change the settings.
        let request = Result { () throws(TeapotError) in try request() }
        let context = currentContext
        let made = try? request.get()
        var sent: (urlRequest: URLRequest, bodyFile: BodyFile?)?
        var failure: TeapotError?
        do throws(TeapotError) { sent = try urlRequest(for: request.get(), context.settings) } catch { failure = error }
        let requestURL = sent?.urlRequest.url ?? context.settings.baseURL
        let call = Call(
            Call.Supplies(
                request: sent,
                transport: transport ?? self.transport,
                prepare: { prepare($0, requestURL) }
            ),
            context: context,
            options: Call.Options(
                limits: Call.Limits(
                    timeout: context.settings.timeout(of: made),
                    deadline: hooks.isEndless ? nil : context.settings.retryPolicy?.limit.map { time.elapsed + $0 },
                    maximumResponseSize: context.settings.maximumResponseSize,
                    hasSink: hooks.sink != nil,
                    isEndless: hooks.isEndless,
                    delivery: delivery
                ),
                authenticator: context.settings.authenticator.flatMap { $0.isRefreshedByCurrentTask ? nil : $0 },
                isIdempotent: made?.isIdempotent,
                endpoint: made?.endpoint,
                hooks: hooks
            )
        )
        willBegin(call)
        guard let failure else {
            call.start()
            return (call, true)
        }
        call.fail(failure)
        return (call, failure.type != .invalidRequestPath)
    }
}

extension DispatchQueue {
    /// Whether this code runs on the queue, or on another one that has it as its target. On the main thread, the main queue is
    /// current. A global queue never is: marking it ends the process on Apple's platforms.
    fileprivate var isCurrent: Bool {
        guard !label.hasPrefix("com.apple.root.") else { return false }
        let mark = DispatchSpecificKey<Void>()
        setSpecific(key: mark, value: ())
        defer { setSpecific(key: mark, value: nil) }
        return DispatchQueue.getSpecific(key: mark) != nil
            || Thread.isMainThread && DispatchQueue.main.getSpecific(key: mark) != nil
    }
}
