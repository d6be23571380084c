public import TeapotFoundation

extension Teapot {
    /// Sends a request. Every verb goes through this method.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - deliveryQueue: The queue for the completion; the default delivery queue if `nil`.
    ///   - completion: Called exactly once, unless the task is cancelled: with a response whose status is from 200 to 299, or
    ///     with an error.
    /// - Returns: A task to suspend, resume and cancel the call; `nil` if the path is invalid, and on Apple
    ///   platforms also if the call has no task of a `URLSession`.
    @preconcurrency @discardableResult public func send(
        _ request: Request,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (Result<Response, TeapotError>) -> Void
    ) -> URLSessionTask? { send(request, deliveryQueue: deliveryQueue) { outcome, _ in { completion(outcome) } } }

    /// Sends a request, and waits for the response.
    ///
    /// - Parameter request: The request to send.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: The error of the call; `cancelled` if the waiting task was cancelled, which ends the exchange at once. A task
    ///   that was cancelled before sends nothing.
    @discardableResult public func send(_ request: Request) async throws(TeapotError) -> Response {
        try await response(to: request)
    }

    /// The funnel of all calls. A failure before sending is an outcome like any other, delivered in the same way. `prepare`
    /// shapes the outcome off the delivery queue; the closure that it returns delivers it.
    func send(
        _ request: @autoclosure () throws(TeapotError) -> Request,
        deliveryQueue: DispatchQueue?,
        prepare: @escaping @Sendable (Call.Outcome, _ requestURL: () -> URL) -> @Sendable () -> Void
    ) -> URLSessionTask? {
        let (call, isPathValid) =
            switch (deliveryQueue, answersAtOnce) {
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
        prepare: @escaping @Sendable (Call.Outcome, _ requestURL: () -> URL) -> @Sendable () -> Void
    ) -> (call: Call, isPathValid: Bool) {
        let isDelivered = Locked(false)
        let delivery = Condition()
        let begun = begin(request, .awaited(queue)) { outcome, requestURL in
            let deliver = prepare(outcome, requestURL)
            return {
                deliver()
                delivery.withLock {
                    isDelivered.withLock { $0 = true }
                    delivery.broadcast()
                }
            }
        }
        guard begun.call.hasOutcome else { return begun }
        if queue.isCurrent { begun.call.deliver() }
        _ = delivery.wait(until: .now() + 1) { isDelivered.withLock { $0 } ? true : nil }
        return begun
    }

    /// The funnel for async callers: the continuation gets the outcome once, after the meter's last report. It sets `cancelled`.
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
        // One object, since a closure that captures nothing else takes no allocation.
        let waiter = Locked(Waiter(meter: meter))
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiter.withLock { $0.continuation = continuation }
                @Sendable func deliver(_ outcome: Call.Outcome) {
                    guard let meter = waiter.withLock(\.meter) else { return waiter.resume(with: outcome) }
                    meter.finish { waiter.resume(with: outcome) }
                }
                begin(request, .atOnce, options: options) { call in
                    waiter.withLock { $0.call = call }
                    // The handler may have been called before there was a call.
                    if Task.isCancelled { call.cancel() }
                } cancelled: {
                    deliver(.failure($0))
                } prepare: { outcome, _ in
                    { deliver(outcome) }
                }
            }
        } onCancel: {
            waiter.withLock(\.call)?.cancel()
        }
        // The thread sanitizer does not see the order of a continuation that is resumed before it is awaited, but that of a lock.
        waiter.withLock { _ in }
        return try outcome.get()
    }

    /// The error of a call whose task was cancelled before it began. It names the request, if that has a URL.
    func cancelled(before request: @autoclosure () throws(TeapotError) -> Request) -> TeapotError {
        let target = try? { () throws(TeapotError) in
            let request = try request()
            return (request.method.rawValue, try url(for: request))
        }()
        return .cancelled().with(CallDetails(secrets: secretPolicy, request: target))
    }

    /// Begins a call. `willBegin` takes the call before anything is sent, and may cancel it;
    /// `cancelled` takes the error of a call that is cancelled; `prepare` shapes any other outcome, and also takes the requested
    /// URL.
    /// - Returns: The call, under way or over, and whether the path was valid.
    // It would otherwise be a part of each of its callers.
    @inline(never) @discardableResult func begin(
        _ request: () throws(TeapotError) -> Request,
        _ delivery: Call.Delivery,
        options: Call.Options = Call.Options(),
        willBegin: (Call) -> Void = { _ in },
        cancelled: (@Sendable (TeapotError) -> Void)? = nil,
        prepare: @escaping @Sendable (Call.Outcome, _ requestURL: () -> URL) -> @Sendable () -> Void
    ) -> (call: Call, isPathValid: Bool) {
        func call(
            _ first: Indirect<OutgoingRequest>?,
            _ rules: CallPlan.Rules,
            _ decoder: JSONDecoder?,
            _ context: Call.Context
        ) -> Call {
            Call(
                sending: first,
                by: rules,
                decoder: decoder,
                over: transport,
                in: context,
                delivery: delivery,
                options: options,
                cancelled: cancelled,
                prepare: prepare
            )
        }
        var failure: TeapotError?
        let begun: Call
        do throws(TeapotError) {
            let made = try request()
            // Not before: an endpoint may change the settings while it makes the request.
            let context = currentContext
            let rules = CallPlan.rules(for: made, in: context, options, at: context.time.elapsed)
            var first: Indirect<OutgoingRequest>?
            do throws(TeapotError) {
                first = try Indirect(
                    urlRequest(
                        for: made,
                        context,
                        with: rules.rejectedStatuses == nil ? nil : context.settings.authenticator?.value.common
                    )
                )
            } catch { failure = error }
            begun = call(first, rules, made.decoder, context)
        } catch {
            failure = error
            let context = currentContext
            begun = call(nil, CallPlan.Rules(begun: context.time.elapsed), nil, context)
        }
        willBegin(begun)
        begun.start(failing: failure)
        return (begun, failure?.type != .invalidRequestPath)
    }
}

/// An async caller.
private struct Waiter {
    let meter: ProgressMeter?
    /// Resumed once; `nil` afterwards.
    var continuation: CheckedContinuation<Call.Outcome, Never>?
    /// `nil` once it is over.
    var call: Call?
}

extension Locked<Waiter> {
    fileprivate func resume(with outcome: Call.Outcome) {
        // The call is released after the lock.
        let (continuation, _) = withLock { ($0.continuation.take(), $0.call.take()) }
        continuation?.resume(returning: outcome)
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
