import TeapotFoundation

/// One call with one outcome, delivered exactly once, however many requests it takes: redirects, retries, and repeats with
/// another credential.
///
/// A loop takes the steps of a ``CallPlan``, one after the other. Its ``Owner`` runs the loop and owns its variables. The loop calls
/// plugins, log, authenticator, transport and sink without a lock. It begins an ``Exchange`` or a ``Wait``, continues with its
/// ``Event``, and ends with an outcome. It checks at each event, and at the end, whether the caller has suspended or cancelled the call.
/// "The life of a GET", in README.md beside this file, goes through one call.
///
/// `@unchecked Sendable` is sound: the variables are touched by their owner only, and change owners under a lock.
final class Call: @unchecked Sendable {
    /// Shapes the outcome for a closure on the thread that has it. It returns a closure that delivers the outcome.
    typealias Prepare = @Sendable (Teapot.Outcome, _ requestURL: () -> URL) -> @Sendable () -> Void

    let context: Context
    let options: Options
    let owner: Owner
    let decoder: JSONDecoder
    let state: Locked<State>

    // The variables of the loop. The transport and the closure are `nil` when the call is over.
    let plan: CallPlan
    var transport: Indirect<any Transport>?
    var shape: Prepare?
    var hasWaited = false
    var exchange: Exchange?
    /// Its request as the plugins saw it, until they see its outcome.
    var sent: Indirect<Teapot.SentRequest>?
    /// The outcome, for a task or a thread that waits for it; before the call begins, the error that prevents its request.
    var ended: Teapot.Outcome?

    /// Makes a call that sends the first request, or ends with its error. `prepare` takes the outcome unless it is cancelled.
    init(
        sending request: Result<Indirect<OutgoingRequest>, TeapotError>,
        by rules: CallPlan.Rules,
        decoder: JSONDecoder? = nil,
        over transport: Indirect<any Transport>,
        in context: Context,
        of owner: Owner,
        options: Options,
        prepare: Prepare?
    ) {
        self.context = context
        self.transport = transport
        self.owner = owner
        self.options = options
        self.decoder = decoder ?? context.settings.decoder
        shape = prepare
        if case .failure(let error) = request { ended = .failure(error) }
        let first = try? request.get()
        state = Locked(State(first: first))
        let offset = options.resumes ? options.sink?.partialBody?.offset : nil
        // The secrets of the request include the user information of its base URL.
        let secrets = first?.value.sent.secrets ?? context.settings.secretPolicy
        plan = CallPlan(sending: first, by: rules, secrets: secrets, offset: offset ?? 0)
    }

    // MARK: - The loop

    /// Takes steps until the call is over, or waits for an event.
    @inline(never) func run(_ first: CallPlan.Step?) {
        var next = first
        while let step = next.take() {
            switch consume step {
            case .authorize(let isRejected): next = authorize(isRejected: isRejected)
            case .prepare: next = prepare()
            case .send: next = send()
            case .wait(let time, _): next = wait(until: time)
            case .finish(let outcome): finish(outcome)
            }
        }
    }

    private func authorize(isRejected: Bool) -> CallPlan.Step? {
        guard let authenticator = context.settings.authenticator else { return nil }
        // A cancelled call must not cause a refresh.
        guard !isCancelled else { return abandon() }
        let urlRequest = plan.request.value.urlRequest
        let rejection = isRejected ? plan.failure?.wholeResponse : nil
        switch authenticator.value.credential(
            for: urlRequest,
            with: plan.request.value.issued,
            hasOwn: plan.rules.hasOwnAuthorization,
            rejection: rejection,
            context.time
        ) {
        case .known(let result): return plan.next(with: result, isFresh: true)
        case .later(let credential): return wait(for: .credential(credential, timeout: urlRequest.timeout))
        }
    }

    private func wait(until time: Duration) -> CallPlan.Step? {
        hasWaited = true
        // In the loop: with a `Wait`, a thousand attempts without delay would be a thousand calls on one stack.
        return time > context.time.elapsed ? wait(for: .time(time)) : step(after: .time)
    }

    private func wait(for goal: Wait.Goal) -> CallPlan.Step? {
        let wait = Wait(for: goal, of: self)
        // The state has the wait before it starts, so that a cancellation meanwhile ends the wait.
        guard state.withLock({ $0.begin(.waiting(wait)) }) else {
            // It was not started, and has no event.
            wait.take()
            return abandon()
        }
        // From here on the loop may be another thread's.
        wait.start()
        return nil
    }

    private func prepare() -> CallPlan.Step? {
        let (request, plugins) = (plan.request, context.settings.plugins)
        // A credential that was known has been in the request from the start.
        let known = request.value.sent.credentials
        if plugins.isEmpty, request.value.issued.map({ known.contains($0.credential) }) ?? true { return plan.next() }
        let inUse = Locked<[Credential]>([])
        let result = Result { try request.value.prepared(by: plugins, inUse) }
        return plan.next(afterPreparing: result, using: inUse.withLock { $0 })
    }

    private func send() -> CallPlan.Step? {
        let request: Indirect<OutgoingRequest>
        do throws(TeapotError) {
            try plan.request.value.sent.file?.check()
            request = try plan.begin(at: context.time.elapsed)
        } catch { return .finish(.failure(error)) }
        guard let transport else { return nil }
        let (plugins, level) = (context.settings.plugins, context.settings.logger.currentLevel)
        let isShown = !plugins.isEmpty || level > .none
        if isShown, isCancelled { return abandon() }
        let exchange = Exchange(request, id: isShown ? Teapot.SentRequest.nextID() : 0, of: self)
        self.exchange = exchange
        var urlRequest = exchange.request
        // The jar's cookies are for one request only: the next one gets its own.
        if let url = exchange.url, let cookies = context.cookies?.header(for: url),
            urlRequest.value(forHTTPHeaderField: "Cookie") == nil
        {
            urlRequest.setField("Cookie", cookies)
        }
        if level > .none { context.settings.logger.outgoing(urlRequest, of: request, in: exchange) }
        options.sent?(0, exchange.bodySize)
        if !plugins.isEmpty { show(urlRequest, of: request, in: exchange) }
        // A signature or a plugin may have taken a while.
        if let error = plan.error(at: context.time.elapsed) { return .finish(.failure(error)) }
        let isIdempotent = request.value.isAnother ? urlRequest.hasIdempotentMethod : plan.isIdempotent
        let isBegun = state.withLock { state in
            state.originalRequest = state.originalRequest ?? request.value.urlRequest
            state.first = nil
            state.latest = exchange
            return state.begin(.running(exchange))
        }
        guard isBegun else { return abandon() }
        // From here on the loop may be another thread's, unless there is a result.
        var sending = request.value.sent
        sending.urlRequest = urlRequest
        sending.isIdempotent = isIdempotent
        let result = exchange.start(for: self, over: transport.value, sending: sending)
        options.sink?.started()
        return result.flatMap { step(after: .result($0, of: exchange)) }
    }

    private func show(_ urlRequest: URLRequest, of request: Indirect<OutgoingRequest>, in exchange: Exchange) {
        let sent = Teapot.SentRequest(
            id: exchange.id,
            urlRequest: urlRequest,
            bodyFile: request.value.sent.bodyFile,
            hasBodyPieces: request.value.sent.bodyPieces != nil,
            attempt: exchange.attempt,
            secrets: exchange.secrets,
            start: context.time.elapsed
        )
        self.sent = Indirect(sent)
        for plugin in context.settings.plugins { plugin.willSend(sent) }
    }

    @inline(never) func proceed(after event: Event) {
        hasWaited = true
        run(next(after: event))
    }

    /// Continues with an event for which the call did not have to wait.
    @inline(__always) private func step(after event: Event) -> CallPlan.Step? {
        guard let isCancelled = state.withLock({ $0.take(event) }) else { return nil }
        return isCancelled ? abandon() : next(after: event)
    }

    private func next(after event: Event) -> CallPlan.Step? {
        switch event {
        case .result(let result, let exchange): return decide(after: result, of: exchange)
        case .credential(let result): return plan.next(with: result, isFresh: false)
        case .time: return plan.next(afterWaitingUntil: context.time.elapsed)
        case .failure(let error): return .finish(.failure(.noResponse(error)))
        case .cancelled: return abandon()
        case .ended(let outcome):
            conclude(outcome.value)
            return nil
        }
    }

    private func decide(after result: ExchangeResult, of exchange: Exchange) -> CallPlan.Step? {
        // Parsing a large body takes time, in which the caller of a closure verb waits, or other exchanges get no events.
        // Parsing a smaller one takes less time than changing threads.
        guard owner.isClosure, result.data.count > 32_768, !context.settings.answersAtOnce else {
            return evaluate(result, of: exchange)
        }
        DispatchQueue.runApart { self.run(self.evaluate(result, of: exchange)) }
        return nil
    }

    private func evaluate(_ result: ExchangeResult, of exchange: Exchange) -> CallPlan.Step? {
        let result = result.asking(options.sink)
        if let error = result.error, !CallTask.isAvailable, (error as? URLError)?.code == .cancelled {
            // On Apple's platforms, the caller has cancelled the transport's task. Elsewhere the call knows first.
            _ = state.withLock { $0.cancel() }
            return abandon()
        }
        if let response = result.response {
            if let url = exchange.url { context.cookies?.store(response, from: url) }
            if exchange.id > 0 { context.settings.logger.incoming(response, with: result, in: exchange) }
        }
        let redirects = plan.request.value.redirects
        let step = plan.next(after: result, at: context.time.elapsed, details(of: exchange))
        if case .finish = step { return step }
        // Another request follows.
        if let failure = plan.failure {
            let sent = sent.take()
            report(.failure(failure), of: sent)
            if case .wait(_, let delay) = step, let sent {
                for plugin in context.settings.plugins { plugin.willRetry(failure, for: sent.value, after: delay) }
            }
            if plan.request.value.redirects <= redirects { context.settings.logger.failed(failure, in: exchange) }
        }
        return step
    }
}
