public import TeapotFoundation

extension Teapot {
    /// Sends a request. The completion gets a response whose status is from 200 to 299, or an error. Queue, completion and task
    /// are those of ``get(_:headerFields:timeoutInterval:allowsCellular:deliveryQueue:completion:)-(String,_,_,_,_,_)``.
    @preconcurrency @discardableResult public func send(
        _ request: Request,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (Result<Response, TeapotError>) -> Void
    ) -> URLSessionTask? { send(request, deliveryQueue: deliveryQueue) { outcome, _ in { completion(outcome) } } }

    /// Sends a request, and waits for the response.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: The error of the call; `cancelled` if the waiting task was cancelled, which ends the exchange at once. A task
    ///   that was cancelled before sends nothing.
    @discardableResult public func send(_ request: Request) async throws(TeapotError) -> Response {
        try await response(to: request)
    }

    /// The funnel for closures. A failure before sending is an outcome like any other. `prepare` shapes the outcome off the delivery queue;
    /// the closure that it returns delivers it.
    @inline(never) func send(
        _ request: @autoclosure () throws(TeapotError) -> Request,
        deliveryQueue: DispatchQueue?,
        prepare: @escaping Call.Prepare
    ) -> URLSessionTask? {
        let isAtOnce = answersAtOnce
        if isAtOnce, let deliveryQueue { return send(request, awaiting: deliveryQueue, prepare: prepare) }
        let owner = Call.Owner.closure(deliveryQueue ?? defaultDeliveryQueue, isAtOnce: isAtOnce)
        return begin(call(for: request, of: owner, prepare: prepare))
    }

    @inline(never) private func begin(_ call: Call) -> URLSessionTask? {
        let hasValidPath = call.ended?.failure?.type != .invalidRequestPath
        call.begin()
        return hasValidPath ? CallTask.make(for: call) : nil
    }

    /// Sends a request for a closure. If the call already has an outcome, waits up to a second until the queue has delivered it, so that a
    /// test of code that names a queue needs no expectation. A queue that is suspended, or waits for this thread, delivers it later.
    private func send(
        _ request: () throws(TeapotError) -> Request,
        awaiting queue: DispatchQueue,
        prepare: @escaping Call.Prepare
    ) -> URLSessionTask? {
        let isDelivered = Locked(false)
        let condition = Condition()
        let call = call(for: request, of: .closure(queue, isAtOnce: false)) { outcome, requestURL in
            let deliver = prepare(outcome, requestURL)
            return {
                deliver()
                isDelivered.withLock { $0 = true }
                condition.withLock { condition.broadcast() }
            }
        }
        let task = begin(call)
        if call.hasOutcome {
            if queue.isCurrent { call.deliver() }
            _ = condition.wait(until: .now() + 1) { isDelivered.withLock { $0 } ? true : nil }
        }
        return task
    }

    /// The funnel for async callers: the call runs in the current task. The outcome comes after the meter's last report.
    func response(
        to request: @autoclosure () throws(TeapotError) -> Request,
        options: Call.Options = Call.Options(),
        meter: ProgressMeter? = nil
    ) async throws(TeapotError) -> Response {
        guard !Task.isCancelled else {
            // A download has opened its file.
            if let sink = options.sink {
                await withCheckedContinuation { done in sink.finish(.failure(.cancelled())) { _ in done.resume() } }
            }
            throw cancelled(before: try request())
        }
        let call = call(for: request, of: .task, options: options)
        let outcome = await withTaskCancellationHandler {
            call.begin()
            return await call.outcome()
        } onCancel: {
            call.cancel()
        }
        if let meter { await withCheckedContinuation { done in meter.finish { done.resume() } } }
        return try outcome.get()
    }

    /// The error of a call whose task was cancelled before it began. It names the request, if that has a URL.
    func cancelled(before request: @autoclosure () throws(TeapotError) -> Request) -> TeapotError {
        var target: (method: String, url: URL)?
        if let request = try? request(), let url = try? url(for: request) { target = (request.method.rawValue, url) }
        return .cancelled().with(CallDetails(secrets: secretPolicy, request: target))
    }

    /// Makes a call, which has yet to begin, with the settings at the time when its request is made: an endpoint may change them before. An
    /// invalid request ends the call when it begins.
    @inline(never) func call(
        for request: () throws(TeapotError) -> Request,
        of owner: Call.Owner,
        options: Call.Options = Call.Options(),
        prepare: Call.Prepare? = nil
    ) -> Call {
        do throws(TeapotError) {
            if case .thread = owner, EventThread.isCurrent { throw .blocksTransport() }
            return call(for: try request(), of: owner, options: options, prepare: prepare)
        } catch {
            let context = currentContext
            let rules = CallPlan.Rules(begun: context.time.elapsed)
            return Call(
                sending: .failure(error),
                by: rules,
                over: transport,
                in: context,
                of: owner,
                options: options,
                prepare: prepare
            )
        }
    }

    @inline(never)
    private func call(for request: Request, of owner: Call.Owner, options: Call.Options, prepare: Call.Prepare?) -> Call
    {
        let context = currentContext
        let rules = CallPlan.rules(for: request, in: context, options, at: context.time.elapsed)
        let first = Result { () throws(TeapotError) in
            try Indirect(urlRequest(for: request, context, isSigned: rules.rejectedStatuses != nil))
        }
        return Call(
            sending: first,
            by: rules,
            decoder: request.decoder,
            over: transport,
            in: context,
            of: owner,
            options: options,
            prepare: prepare
        )
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
