import TeapotFoundation

/// The end of a call, in a promised order:
///
/// 1. The sink finishes its file, which can still turn a success into a failure.
/// 2. The log and the plugins see the outcome.
/// 3. Objects of others are released, since the caller's code may run for long.
/// 4. The caller gets the outcome, unless it has cancelled the call.
extension Call {
    /// Ends the call with an outcome, or as cancelled if the caller has done that.
    func finish(_ outcome: Teapot.Outcome) {
        guard options.sink == nil && context.settings.plugins.isEmpty || !isCancelled else {
            _ = abandon()
            return
        }
        let details = details(of: exchange, plan.firstRequest, secrets: plan.secrets)
        let outcome = outcome.with(details)
        guard let sink = options.sink else { return conclude(outcome) }
        sink.finish(outcome) { self.handle(.ended(Indirect($0.with(details)))) }
    }

    /// Ends a call that was cancelled, without a further step.
    func abandon() -> CallPlan.Step? {
        shape = nil
        let outcome = Teapot.Outcome.failure(cancellation)
        if let sink = options.sink {
            sink.finish(outcome) { _ in self.handle(.ended(Indirect(outcome))) }
        } else {
            conclude(outcome)
        }
        return nil
    }

    func conclude(_ outcome: Teapot.Outcome) {
        // The reader of a stream has left. The task of its call is cancelled like that of any other call, for plugins and the log.
        if options.sink?.isReader == true, isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
        let failure = outcome.failure
        if let failure, failure.type != .cancelled || !isCancelled {
            context.settings.logger.failed(failure, in: exchange)
        }
        report(outcome, of: sent)
        let deliver = shape?(outcome) { plan.firstRequest?.url ?? context.settings.baseURL }
        // What belongs to others is released, as the caller may keep its task.
        plan.release()
        transport = nil
        shape = nil
        sent = nil
        guard let deliver, case .closure(let callersQueue, let isAtOnce) = owner else {
            // The caller may have cancelled while plugins were called. A file that a sink has finished stays: its call is not cancelled.
            let isCancelled = options.sink == nil && failure?.type != .cancelled && self.isCancelled
            ended = isCancelled ? .failure(cancellation) : outcome
            return
        }
        let queue = isAtOnce && !hasWaited ? nil : callersQueue
        let isWanted = state.withLock { state in
            guard !state.isCancelled else { return false }
            state.error = failure
            let isNow = queue == nil && !state.isSuspended
            state.phase = isNow ? .delivered : .finished(deliver: deliver, on: queue)
            return !state.isSuspended
        }
        guard isWanted else { return }
        if let queue { queue.async { self.deliver() } } else { deliver() }
    }

    func report(_ outcome: Teapot.Outcome, of sent: Indirect<Teapot.SentRequest>?) {
        guard var sent = sent?.value else { return }
        sent.timings = (exchange?.timings ?? Teapot.Timings()).total(context.time.elapsed - sent.start)
        for plugin in context.settings.plugins { plugin.didReceive(outcome, for: sent) }
    }

    /// The details that a response or an error keeps of the call: of its last exchange, or of the first request before any.
    func details(
        of exchange: Exchange?,
        _ first: @autoclosure () -> URLRequest? = nil,
        secrets: SecretPolicy? = nil
    ) -> CallDetails {
        CallDetails(
            decoder: decoder,
            secrets: secrets ?? exchange?.secrets ?? context.settings.secretPolicy,
            attempts: exchange?.attempt ?? 0,
            maximumAttempts: plan.rules.retryPolicy?.maximumAttempts ?? 1,
            isSentOnce: plan.isSentOnce,
            timings: (exchange?.timings ?? Teapot.Timings()).total(context.time.elapsed - plan.rules.begun),
            request: exchange?.target ?? first()?.target
        )
    }
}

extension Teapot.Outcome {
    var failure: TeapotError? { if case .failure(let error) = self { error } else { nil } }

    fileprivate func with(_ details: CallDetails) -> Teapot.Outcome {
        switch self {
        case .success(let response): .success(response.with(details))
        case .failure(let error): .failure(error.with(details))
        }
    }
}
