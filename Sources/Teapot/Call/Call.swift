import TeapotFoundation

/// One call with one outcome, delivered exactly once, however many requests it takes: redirects, retries, and repeats with
/// another credential.
///
/// A loop takes the steps of a ``CallPlan``, one after the other. Whoever runs the loop owns its variables: at first the
/// caller, then the thread on which an exchange has ended. It calls plugins, log, authenticator, transport and sink without a
/// lock. It meets the caller's requests (suspend, resume, cancel) where it installs an exchange, and at the end. A wait for a
/// credential or for a time is an ``Exchange``, too, with the authenticator or the clock as its transport.
///
/// `@unchecked Sendable` is sound: the variables are touched by their owner only, and change owners under a lock.
final class Call: @unchecked Sendable {
    typealias Outcome = Result<Teapot.Response, TeapotError>
    typealias Cancelled = @Sendable (TeapotError) -> Void
    typealias Delivering = @Sendable () -> Void
    /// Shapes the outcome on the thread that has it. It returns a closure that delivers the outcome.
    typealias Prepare = @Sendable (Outcome, _ requestURL: URL) -> Delivering

    let context: Context
    let hooks: Hooks
    /// That of the request, or else of the client.
    private let retryPolicy: RetryPolicy?
    /// The statuses of a success besides 200 to 299.
    let acceptedStatuses: Set<Int>
    /// Whether the body can be sent only once.
    private let isSentOnce: Bool
    /// The time at which the call must be over.
    let deadline: Duration?
    /// That of the first request, before plugins.
    let timeout: TimeInterval?
    private let delivery: Delivery
    /// `nil` also for requests that the authenticator's own refresh sends.
    private let authenticator: Authenticator?
    /// The time at which the call was made.
    private let begun: Duration
    private let state: Locked<State>

    // The variables of the loop. The transport and the closure are `nil` when the call is over.
    private var plan: CallPlan
    private var transport: (any Transport)?
    private var shape: Prepare?
    /// Whether the call had to wait.
    private var isLate = false
    /// The last exchange, and its measurements.
    private var exchange: Exchange?
    private var timings = Teapot.Timings()
    /// Its request as the plugins saw it, until they see its outcome.
    private var sent: Teapot.SentRequest?

    /// Makes a call that has not begun. Without a first request, nothing is sent. The transport and the closures are released
    /// when the call is over. `cancelled` takes the error of a call that is cancelled, `prepare` any other outcome.
    init(
        _ first: OutgoingRequest?,
        _ transport: any Transport,
        _ context: Context,
        _ delivery: Delivery,
        _ hooks: Hooks,
        cancelled: Cancelled?,
        prepare: @escaping Prepare
    ) {
        (self.context, self.transport, shape) = (context, transport, prepare)
        (self.delivery, self.hooks, timeout) = (delivery, hooks, first?.timeout)
        let begun = context.time.elapsed
        self.begun = begun
        retryPolicy = first?.retryPolicy ?? context.settings.retryPolicy
        acceptedStatuses = first?.acceptedStatuses ?? []
        isSentOnce = first?.pieces != nil
        deadline = hooks.isEndless ? nil : retryPolicy?.limit.map { begun + $0 }
        authenticator = context.settings.authenticator.flatMap { $0.isRefreshedByCurrentTask ? nil : $0 }
        state = Locked(State(cancelled: cancelled))
        plan = CallPlan(
            first,
            CallPlan.Rules(
                retryPolicy: retryPolicy,
                deadline: deadline,
                hasAuthenticator: authenticator != nil,
                rejectedStatuses: authenticator?.rejectedStatuses ?? [],
                isPreemptive: authenticator?.isPreemptive ?? true,
                acceptedStatuses: acceptedStatuses,
                resumes: hooks.resumes
            ),
            context.settings.secretPolicy,
            kept: hooks.resumes ? hooks.sink?.kept : nil
        )
    }

    // MARK: - The loop

    /// Begins the call, once. An error found before anything was sent ends it.
    func start(failing error: TeapotError? = nil) { run(error.map { .finish(.failure($0)) } ?? plan.start()) }

    private func run(_ first: CallPlan.Step?) {
        var next = first
        while let step = next {
            switch step {
            case .authorize(let isRejected): next = authorize(isRejected: isRejected)
            case .prepare: next = prepare()
            case .send: next = send()
            case .wait(let time): next = wait(until: time)
            case .finish(let outcome):
                finish(outcome)
                next = nil
            }
        }
    }

    private func authorize(isRejected: Bool) -> CallPlan.Step? {
        guard let authenticator else { return nil }
        let request = plan.request
        let rejection = isRejected ? plan.failure?.wholeResponse : nil
        let credential = Locked<Result<Authenticator.Issued?, any Error>?>(nil)
        let wait = Exchange(request.urlRequest, timeout: request.timeout, "no credential arrived in time", of: self) {
            call,
            _,
            ending in
            if let error = ending.error { return .finish(.failure(.noResponse(error))) }
            return credential.withLock { $0 }.flatMap { call.plan.next(with: $0) }
        }
        return start(wait) { receive in
            let answer = authenticator.credential(for: request, rejection: rejection, context.time) { result in
                credential.withLock { $0 = result }
                receive(.finished(nil))
            }
            switch answer {
            case .later(let withdraw): return CredentialTask(withdraw: withdraw)
            case .known(let result):
                credential.withLock { $0 = result }
                receive(.finished(nil))
                return nil
            }
        }
    }

    private func wait(until time: Duration) -> CallPlan.Step? {
        isLate = true
        let now = context.time.elapsed
        // Without an exchange, as a thousand attempts would otherwise need a thousand of them on the stack.
        guard time > now || state.withLock({ $0.suspension.isOn }) else {
            return plan.next(afterWaitingUntil: now)
        }
        let wait = Exchange(plan.first.urlRequest, timeout: nil, "", of: self) { call, _, _ in
            call.plan.next(afterWaitingUntil: call.context.time.elapsed)
        }
        return start(wait) { receive in
            receive(TransportEvent(.scheduled([time - now]) { receive(.finished(nil)) }))
            return nil
        }
    }

    /// Adds the credential, and lets the plugins change the request.
    private func prepare() -> CallPlan.Step? {
        let request = plan.request
        let credential = request.issued?.credential
        let preparation = RequestPreparation(credential: credential, plugins: context.settings.plugins)
        let (result, credentials) = preparation.prepare(request)
        return plan.next(afterPreparing: result, using: credentials)
    }

    private func send() -> CallPlan.Step? {
        let (request, attempt, secrets): (OutgoingRequest, Int, SecretPolicy)
        do throws(TeapotError) {
            try plan.request.bodyFile?.check()
            (request, attempt, secrets) = try plan.begin()
        } catch { return .finish(.failure(error)) }
        guard let transport else { return nil }
        let (plugins, level) = (context.settings.plugins, context.settings.logger.currentLevel)
        let isShown = !plugins.isEmpty || level > .none
        if isShown, state.withLock({ $0.isOver }) {
            drop()
            return nil
        }
        let exchange = Exchange(
            request.urlRequest,
            bodySize: request.bodySize,
            id: isShown ? Teapot.SentRequest.nextID() : 0,
            attempt: attempt,
            secrets: secrets,
            timeout: request.timeout,
            of: self
        ) { call, exchange, ending in call.decide(after: ending, of: exchange) }
        self.exchange = exchange
        let urlRequest = addingCookies(to: request.urlRequest)
        if level > .none { log(secrets).outgoing(urlRequest, request, exchange) }
        hooks.sent?(0, exchange.bodySize)
        if !plugins.isEmpty { show(urlRequest, request, exchange) }
        var sending = TransportRequest(urlRequest, isIdempotent: request.isIdempotent)
        (sending.file, sending.bodyPieces, sending.endpoint) = (request.bodyFile, request.pieces, request.endpoint)
        sending.baseURL = context.settings.baseURL
        (sending.credentials, sending.secrets) = (request.credentials, context.settings.secretPolicy)
        return start(exchange, request.urlRequest) { [sending] in transport.start(sending, receive: $0) }
    }

    /// Adds the jar's cookies to one request only: the next one gets its own.
    private func addingCookies(to request: URLRequest) -> URLRequest {
        guard
            let url = request.url, let cookies = context.cookies?.header(for: url),
            request.value(forHTTPHeaderField: "Cookie") == nil
        else { return request }
        var request = request
        request.setValue(cookies, forHTTPHeaderField: "Cookie")
        return request
    }

    /// Shows the request to the plugins.
    private func show(_ urlRequest: URLRequest, _ request: OutgoingRequest, _ exchange: Exchange) {
        let sent = Teapot.SentRequest(
            id: exchange.id,
            urlRequest: urlRequest,
            bodyFile: request.bodyFile?.url,
            hasBodyPieces: request.pieces != nil,
            attempt: exchange.attempt,
            secrets: exchange.secrets,
            start: context.time.elapsed
        )
        self.sent = sent
        for plugin in context.settings.plugins { plugin.willSend(sent) }
    }

    /// Starts an exchange, which the caller can suspend and cancel from now on. A cancelled call starts nothing more.
    private func start(
        _ exchange: Exchange,
        _ request: URLRequest? = nil,
        with transport: (@escaping @Sendable (TransportEvent) -> Void) -> (any TransportTask)?
    ) -> CallPlan.Step? {
        let suspension = state.withLock { state -> Exchange.Suspension? in
            if let request {
                state.originalRequest = state.originalRequest ?? request
                state.latest = exchange
            }
            if state.isOver { return nil }
            state.phase = .underWay(exchange)
            return state.suspension
        }
        guard let suspension else {
            _ = exchange.cancel()
            drop()
            return nil
        }
        if suspension.isOn { exchange.set(suspension) }
        // From here on the work may be another thread's, unless there is an ending.
        let ending = exchange.start(with: transport)
        if request != nil { hooks.sink?.started() }
        return ending.flatMap { exchange.next(self, exchange, $0) }
    }

    /// Continues after an exchange that did not end at once. Called by the exchange, once.
    func go(on ending: Ending, of exchange: Exchange) {
        isLate = true
        run(exchange.next(self, exchange, ending))
    }

    private func decide(after ending: Ending, of exchange: Exchange) -> CallPlan.Step? {
        guard case .queue = delivery, ending.data.count > Self.largeBody else {
            return look(at: ending, of: exchange)
        }
        // Parsing takes time, in which the transport's other exchanges would get no events.
        Self.largeBodyQueue.async { self.run(self.look(at: ending, of: exchange)) }
        return nil
    }

    /// In bytes. Parsing a smaller body takes less time than changing threads.
    private static let largeBody = 32_768
    private static let largeBodyQueue = DispatchQueue(label: "Teapot.Call", attributes: .concurrent)

    private func look(at ending: Ending, of exchange: Exchange) -> CallPlan.Step? {
        if let error = ending.error, CallTask.isCancellation(error) {
            cancel()
            drop()
            return nil
        }
        timings = ending.timings
        if let response = ending.response {
            if let url = exchange.request.url { context.cookies?.store(response, from: url) }
            if exchange.id > 0 { log(exchange.secrets).incoming(response, ending, exchange) }
        }
        let redirects = plan.request.redirects
        let now = context.time.elapsed
        let step = plan.next(
            after: ending,
            at: now,
            details(exchange.request, exchange.secrets, exchange.attempt, ending.timings)
        )
        if case .finish = step { return step }
        // It is not the last request of the call.
        if let failure = plan.failure {
            let sent = sent.take()
            report(.failure(failure), of: sent, ending.timings)
            if case .wait(let time) = step, let sent {
                for plugin in context.settings.plugins { plugin.willRetry(failure, for: sent, after: time - now) }
            }
            if plan.request.redirects <= redirects { log(exchange.secrets).failed(failure, exchange) }
        }
        return step
    }

    // MARK: - The end

    private func finish(_ outcome: Outcome) {
        // Plugins see the outcome before the caller does, and the work of a sink cannot be undone.
        if hooks.sink != nil || !context.settings.plugins.isEmpty {
            let isWanted = state.withLock { state in
                if !state.isOver { state.phase = .finishing }
                return !state.isOver
            }
            guard isWanted else { return drop() }
        }
        let details = details(exchange?.request ?? plan.firstRequest, plan.secrets, plan.attempts, timings)
        let outcome = outcome.with(details)
        guard let sink = hooks.sink else { return conclude(outcome) }
        sink.finish(outcome) { self.conclude($0.with(details)) }
    }

    private func conclude(_ outcome: Outcome) {
        var failure: TeapotError?
        if case .failure(let error) = outcome {
            failure = error
            log(error.details.secrets).failed(error, exchange)
        }
        report(outcome, of: sent, timings)
        let deliver = shape?(outcome, plan.firstRequest?.url ?? context.settings.baseURL)
        release()
        // What the state releases is released after the lock.
        let (next, _) = state.withLock { state -> (Delivering?, Cancelled?) in
            guard let deliver, !state.isOver else { return (nil, nil) }
            (state.error, state.isLate, state.phase) = (failure, isLate, .finished(deliver: deliver))
            defer { state.cancelled = nil }
            return (state.deliver(self), state.cancelled)
        }
        next?()
    }

    /// The call was cancelled while the loop ran.
    private func drop() {
        report(.failure(.cancelled()), of: sent, timings)
        release()
    }

    /// Releases what belongs to others: the caller may keep its task.
    private func release() {
        plan.release()
        (transport, shape, sent) = (nil, nil, nil)
    }

    /// Reports the outcome of a request to the plugins.
    private func report(_ outcome: Outcome, of sent: Teapot.SentRequest?, _ timings: Teapot.Timings) {
        guard var sent else { return }
        sent.timings = timings.total(context.time.elapsed - sent.start)
        for plugin in context.settings.plugins { plugin.didReceive(outcome, for: sent) }
    }

    private func log(_ secrets: SecretPolicy) -> CallLog { CallLog(logger: context.settings.logger, secrets: secrets) }

    /// The details of the call that a response or an error keeps.
    private func details(
        _ request: URLRequest?,
        _ secrets: SecretPolicy,
        _ attempts: Int,
        _ timings: Teapot.Timings
    ) -> CallDetails {
        CallDetails(
            decoder: context.settings.decoder,
            secrets: secrets,
            attempts: attempts,
            maximumAttempts: retryPolicy?.maximumAttempts ?? 1,
            isSentOnce: isSentOnce,
            timings: timings.total(context.time.elapsed - begun),
            request: request.flatMap { request in request.url.map { (request.httpMethod ?? "GET", $0) } }
        )
    }
}

// MARK: - The caller

extension Call {
    func suspend() { set(isSuspended: true) }
    func resume() { set(isSuspended: false) }

    private func set(isSuspended: Bool) {
        let (exchange, suspension, next) = state.withLock { state in
            if !state.isOver, state.suspension.isOn != isSuspended {
                state.suspension = Exchange.Suspension(isOn: isSuspended, number: state.suspension.number + 1)
            }
            return (state.exchange, state.suspension, state.deliver(self))
        }
        exchange?.set(suspension)
        next?()
    }

    /// Delivers the outcome on this thread, unless the queue has done it.
    func deliver() { state.withLock { $0.deliver(self, here: true) }?() }

    /// Checks the time for a caller who waits on its own thread.
    func checkTime() { state.withLock { $0.exchange }?.checkTime() }

    /// Ends the call without an outcome. The loop, if it runs, finds that out.
    func cancel() {
        let cancelled = state.withLock { state -> (exchange: Exchange?, latest: Exchange?, tell: Cancelled?)? in
            switch state.phase {
            case .delivered, .cancelled: return nil
            // The work of the sink cannot be undone.
            case .finishing where hooks.sink != nil, .finished where hooks.sink != nil: return nil
            default: break
            }
            defer { (state.phase, state.cancelled) = (.cancelled, nil) }
            return (state.exchange, state.latest, state.cancelled)
        }
        guard let (exchange, latest, tell) = cancelled else { return }
        var sent: Teapot.SentRequest?
        // The loop does not run until its end, which nobody gets now.
        if let exchange, exchange.cancel() {
            sent = self.sent
            release()
        }
        let error = TeapotError.cancelled().with(
            details(
                latest?.request,
                latest?.secrets ?? context.settings.secretPolicy,
                latest?.attempt ?? 0,
                latest?.timings ?? Teapot.Timings()
            )
        )
        report(.failure(error), of: sent, error.timings)
        guard let sink = hooks.sink else { return tell?(error) ?? () }
        sink.finish(.failure(error)) { _ in tell?(error) }
    }

    /// Asks the transport to pause the body, or to resume it. The timeout is paused meanwhile.
    ///
    /// - Returns: Whether there was a transport to ask.
    func pauseBody(_ isPaused: Bool) -> Bool { state.withLock { $0.exchange }?.pauseBody(isPaused) ?? false }

    /// Whether there is an outcome to deliver, or it is delivered.
    var hasOutcome: Bool {
        state.withLock { state in
            switch state.phase {
            case .finished, .delivered: true
            default: false
            }
        }
    }

    // MARK: - What the caller's task shows

    var originalRequest: URLRequest? { state.withLock { $0.originalRequest } }
    var latest: Exchange? { state.withLock { $0.latest } }
    var error: TeapotError? { state.withLock { $0.error } }
    var isCancelled: Bool {
        state.withLock { state in
            if case .cancelled = state.phase { true } else { false }
        }
    }
    var taskState: URLSessionTask.State {
        state.withLock { $0.isOver ? .completed : $0.suspension.isOn ? .suspended : .running }
    }
}

extension Call {
    /// The settings of a Teapot, shared by the calls that begin with them.
    final class Context: Sendable {
        let settings: Teapot.Settings
        let cookies: CookieJar?
        let time: any TimeSource

        init(_ settings: Teapot.Settings, cookies: CookieJar?, time: any TimeSource) {
            (self.settings, self.cookies, self.time) = (settings, cookies, time)
        }

        /// The base URL of a request; `nil` if it is not valid.
        func base(for request: Teapot.Request) -> BaseURL? { request.baseURL.map(BaseURL.init) ?? settings.base }
    }

    /// What some callers take or ask for, besides the outcome. Each closure is called on the thread that reports it.
    struct Hooks: Sendable {
        /// Takes the body of a success in place of the response.
        var sink: (any BodySink)?
        /// Whether the sink can resume a body that broke off.
        var resumes = false
        /// Whether the body may go on indefinitely: neither the deadline nor the size limit applies then.
        var isEndless = false
        /// Takes the number of bytes of the request's body sent so far, and their total if that is known.
        var sent: (@Sendable (Int, Int?) -> Void)?
    }

    /// The place where the outcome is delivered.
    enum Delivery: Sendable {
        case queue(DispatchQueue)
        /// On a queue that the verb waits for. The outcome is shaped on the thread that has it.
        case awaited(DispatchQueue)
        /// On the thread that has the outcome.
        case atOnce
        /// On the thread that has the outcome, unless the call had to wait.
        case atOnceOrOn(DispatchQueue)
    }

    fileprivate enum Phase {
        case looping
        /// The exchange may have ended: the loop runs then.
        case underWay(Exchange)
        /// The outcome is being shaped for the caller.
        case finishing
        /// The outcome waits for the delivery queue, or for the caller's task to be resumed.
        case finished(deliver: @Sendable () -> Void)
        case delivered
        case cancelled
    }

    /// The task of a call that waits for a credential.
    private struct CredentialTask: TransportTask {
        let withdraw: @Sendable () -> Void

        func cancel() { withdraw() }
    }

    fileprivate struct State {
        var phase = Phase.looping
        var suspension = Exchange.Suspension()
        var isLate = false
        /// Takes the error of a cancelled call.
        var cancelled: Cancelled?
        // The caller's task shows these.
        var originalRequest: URLRequest?
        var latest: Exchange?
        var error: TeapotError?

        init(cancelled: Cancelled?) {
            self.cancelled = cancelled
        }
    }
}

extension Call.State {
    fileprivate var isOver: Bool {
        switch phase {
        case .delivered, .cancelled: true
        default: false
        }
    }

    fileprivate var exchange: Exchange? {
        if case .underWay(let exchange) = phase { exchange } else { nil }
    }

    /// Delivers the outcome, here or on its queue. The caller may have suspended or cancelled the call meanwhile.
    fileprivate mutating func deliver(_ call: Call, here: Bool = false) -> Call.Delivering? {
        guard case .finished(let deliver) = phase, !suspension.isOn else { return nil }
        switch call.delivery {
        case .queue(let queue) where !here, .awaited(let queue) where !here: return { queue.async { call.deliver() } }
        case .atOnceOrOn(let queue) where isLate && !here: return { queue.async { call.deliver() } }
        default:
            phase = .delivered
            return deliver
        }
    }
}

extension URLError {
    static func timedOut(_ reason: String) -> URLError {
        URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: reason])
    }
}

extension Call.Outcome {
    fileprivate func with(_ details: CallDetails) -> Call.Outcome {
        switch self {
        case .success(let response): .success(response.with(details))
        case .failure(let error): .failure(error.with(details))
        }
    }
}
