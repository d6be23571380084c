import TeapotFoundation

/// The end of a call: the outcome is shown to the plugins, the sink and the log, and delivered.
extension Call {
    func finish(_ outcome: Outcome) {
        // Plugins see the outcome before the caller does, and the work of a sink cannot be undone.
        if options.sink != nil || !context.settings.plugins.isEmpty {
            // From here on a call with a sink cannot be cancelled, as its file may already be in place.
            let isWanted = state.withLock { state in
                if !state.isOver { state.phase = .finishing }
                return !state.isOver
            }
            guard isWanted else { return abandon() }
        }
        let details = details(
            of: exchange?.target ?? plan.firstRequest?.target,
            secrets: plan.secrets,
            attempts: plan.attempts,
            timings: timings
        )
        let outcome = outcome.with(details)
        guard let sink = options.sink else { return conclude(outcome) }
        sink.finish(outcome) { self.conclude($0.with(details)) }
    }

    private func conclude(_ outcome: Outcome) {
        let failure = outcome.failure
        if let failure { log(failure.details.secrets).failed(failure, in: exchange) }
        report(outcome, of: sent, timings)
        let deliver = shape?(outcome) { plan.firstRequest?.url ?? context.settings.baseURL }
        release()
        // What the state releases is released after the lock.
        let (handover, _) = state.withLock { state -> (Handover?, Cancelled?) in
            guard let deliver, !state.isOver else { return (nil, nil) }
            state.error = failure
            state.isLate = isLate
            state.phase = .finished(deliver: deliver)
            defer { state.cancelled = nil }
            return (state.deliver(by: delivery), state.cancelled)
        }
        handover?.perform(for: self)
    }

    /// The call was cancelled while the loop ran.
    func abandon() {
        report(.failure(cancellation), of: sent, timings)
        release()
    }

    /// Releases what belongs to others: the caller may keep its task.
    func release() {
        plan.release()
        transport = nil
        shape = nil
        sent = nil
        result = nil
    }

    private var timings: Teapot.Timings { result?.timings ?? Teapot.Timings() }

    /// Reports the outcome of a request to the plugins.
    func report(
        _ outcome: Outcome,
        of sent: Indirect<Teapot.SentRequest>?,
        _ timings: @autoclosure () -> Teapot.Timings
    ) {
        guard var sent = sent?.value else { return }
        sent.timings = timings().total(context.time.elapsed - sent.start)
        for plugin in context.settings.plugins { plugin.didReceive(outcome, for: sent) }
    }

    func log(_ secrets: SecretPolicy) -> CallLog { CallLog(logger: context.settings.logger, secrets: secrets) }

    /// The details of the call that a response or an error keeps.
    func details(of request: CallDetails.Target?, secrets: SecretPolicy, attempts: Int, timings: Teapot.Timings)
        -> CallDetails
    {
        CallDetails(
            decoder: decoder,
            secrets: secrets,
            attempts: attempts,
            maximumAttempts: plan.rules.retryPolicy?.maximumAttempts ?? 1,
            isSentOnce: plan.isSentOnce,
            timings: timings.total(context.time.elapsed - plan.rules.begun),
            request: request
        )
    }
}

extension Call.Outcome {
    fileprivate var failure: TeapotError? { if case .failure(let error) = self { error } else { nil } }

    fileprivate func with(_ details: CallDetails) -> Call.Outcome {
        switch self {
        case .success(let response): .success(response.with(details))
        case .failure(let error): .failure(error.with(details))
        }
    }
}
