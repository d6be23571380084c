import TeapotFoundation

/// One call with one outcome, delivered exactly once, however many requests it takes: redirects, retries, and repeats with
/// another credential.
///
/// Each ``Event`` may come from any thread, in any order. Under the lock it changes the ``State``, which returns an ``Effect``;
/// the effect is carried out once the lock is released. The path of a plain request: `attempt`, `prepare`, `send`, the
/// transport, `received`, `decide`, `finish`, `shape`, `deliver`.
package final class Call: Sendable {
    package typealias Outcome = Result<Teapot.Response, TeapotError>

    /// The settings of a Teapot, shared by the calls that begin with them.
    final class Context: Sendable {
        let settings: Teapot.Settings
        let cookies: CookieJar?
        let time: any TimeSource
        let log: CallLog

        init(_ settings: Teapot.Settings, cookies: CookieJar?, time: any TimeSource) {
            (self.settings, self.cookies, self.time) = (settings, cookies, time)
            log = CallLog(logger: settings.logger, secrets: settings.secretPolicy)
        }
    }

    /// The settings of one call, the same for each of its requests.
    struct Options: Sendable {
        let limits: Limits
        /// `nil` also for requests that the authenticator's own refresh sends.
        let authenticator: Authenticator?
        /// Whether the request may be sent twice; `nil` to decide by its method.
        let isIdempotent: Bool?
        /// The endpoint that the request was made from, for the transport.
        let endpoint: (any Endpoint)?
        let hooks: Hooks
    }

    /// Callbacks of some callers, besides the outcome. Each is called on the thread that reports it.
    struct Hooks: Sendable {
        /// Takes the body of a success in place of the response.
        var sink: (any BodySink)?
        /// Whether the body may go on indefinitely: neither the deadline nor the size limit applies then.
        var isEndless = false
        /// Takes the number of bytes of the request's body sent so far, and their total.
        var sent: (@Sendable (Int, Int) -> Void)?
        /// Called instead of an outcome when the call is cancelled, with the cancellation error.
        var cancelled: (@Sendable (TeapotError) -> Void)?
    }

    private let context: Context
    private let options: Options
    /// The time at which the call was made.
    private let begun: Duration
    private let state: Locked<State>

    /// Makes a call that has not begun.
    ///
    /// - Parameters:
    ///   - supplies: Released when the call is over.
    ///   - context: The settings of the Teapot.
    ///   - options: The settings of the call.
    init(_ supplies: Supplies, context: Context, options: Options) {
        (self.context, self.options) = (context, options)
        begun = context.time.elapsed
        state = Locked(State(options.limits, supplies, context.log))
    }

    // MARK: - The caller

    /// Begins the call. Called once, as is ``fail(_:)``.
    func start() { handle(.decided(.attempt())) }

    /// Ends the call with an error found before anything was sent.
    func fail(_ error: TeapotError) { handle(.decided(.finish(.failure(error), nil))) }

    func suspend() { handle(.suspend) }
    func resume() { handle(.resume, letsGo: true) }

    /// Delivers the outcome on this thread, unless the queue has done it.
    func deliver() { handle(.delivery) }

    /// Ends the call without an outcome.
    func cancel() { handle(.cancel, letsGo: true) }

    /// Asks the transport to pause the body, or to resume it. The timeout is paused meanwhile.
    ///
    /// - Returns: Whether there was a transport to ask.
    func holdBack(_ isHeldBack: Bool) -> Bool {
        if case .nothing = handle(.holdBack(isHeldBack)) { false } else { true }
    }

    /// Checks the time, for the call's own timers and for a caller who waits on its own thread.
    func checkTime() {
        let isTaskSuspended = !CallTask.isAvailable && read { $0.firstTask }?.state == .suspended
        handle(.time(isTaskSuspended: isTaskSuspended), letsGo: true)
    }

    /// Reads the state under the lock.
    func read<Value>(_ value: (State) -> Value) -> Value { state.withLock { value($0) } }

    /// Seconds without progress, unless a plugin changes it; `nil` for no limit.
    var timeout: TimeInterval? { options.limits.timeout }

    // MARK: - Events and effects

    /// Changes the state and carries out the effect. `letsGo` says whether the state may release the objects of others.
    @discardableResult
    private func handle(_ event: Event, letsGo: Bool = false) -> Effect {
        let effect = change(event, letsGo: letsGo)
        perform(effect)
        return effect
    }

    private func change(_ event: Event, letsGo: Bool) -> Effect {
        let now = context.time.elapsed
        // Values released by the state are destroyed after the lock is released: their `deinit` may call back here.
        return state.withLock { state in
            let before = letsGo ? state : nil
            return (state.handle(event, at: now), before)
        }.0
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .nothing: break
        case .both(let first, let second):
            perform(first)
            perform(second)

        // On the way out
        case .attempt(let request, let bodyFile): attempt(request, bodyFile)
        case .ask(let wait, let stale): ask(wait, insteadOf: stale)
        case .prepare(let request, let bodyFile, let issued, let isSame):
            prepare(request, bodyFile, with: issued, isSame: isSame)
        case .send(let plan, let issued): send(plan, with: issued)
        case .show(let exchange, let plan, let history): show(exchange, plan, history)
        case .start(let exchange, let plan, let request, let transport): start(exchange, plan, request, transport)

        // On the way back
        case .sent(let count, let size): options.hooks.sent?(count, size)
        case .beginSink(let response, let exchange):
            feed(exchange) { sink throws(TeapotError) in try sink.begin(response) }
        case .writeToSink(let data, let exchange):
            feed(exchange) { sink throws(TeapotError) in try sink.receive(data) }
        case .decide(let end): decide(end)
        case .fail(let error): fail(error)
        case .failRefresh(let error): fail(.refreshFailed(error, secrets))
        case .shape(let shaping): shape(shaping)
        case .enqueue(let queue): queue.async { self.deliver() }

        // Time, and the end of it
        case .setTimer(let time, let number):
            handle(.timer(context.time.timer(at: time) { self.checkTime() }, number: number))
        case .run(let action): action()
        case .reportCancelled(let sent): report(.failure(.cancelled()), of: sent)
        case .tellCancelled(let sent, let history):
            let details = details(history, sent?.timings ?? Teapot.Timings(), sent?.urlRequest)
            let error = TeapotError.cancelled().with(details)
            report(.failure(error), of: sent)
            guard let sink = options.hooks.sink else { return options.hooks.cancelled?(error) ?? () }
            sink.finish(.failure(error)) { _ in self.options.hooks.cancelled?(error) }
        }
    }

    // MARK: - On the way out

    private func attempt(_ request: URLRequest, _ bodyFile: BodyFile?) {
        if let authenticator = options.authenticator, authenticator.isResponsible(for: request) {
            authorize(.attempt(isSame: false), with: authenticator)
        } else {
            prepare(request, bodyFile, with: nil, isSame: false)
        }
    }

    /// Continues as soon as there is a credential.
    private func authorize(
        _ next: Next,
        with authenticator: Authenticator,
        insteadOf stale: Authenticator.Issued? = nil
    ) {
        switch authenticator.credential(insteadOf: stale) {
        case .success(let issued): handle(.decided(.proceed(next, with: issued)))
        case .failure(let error): fail(.refreshFailed(error, secrets))
        case nil: handle(.decided(.ask(for: next, insteadOf: stale)))
        }
    }

    private func ask(_ wait: Wait, insteadOf stale: Authenticator.Issued?) {
        guard let authenticator = options.authenticator else { return }
        let withdraw = authenticator.awaitCredential(insteadOf: stale, context.time) { credential in
            self.handle(.credential(credential, wait), letsGo: true)
        }
        handle(.asked(wait, withdraw: withdraw), letsGo: true)
    }

    /// Lets the plugins prepare the request.
    private func prepare(
        _ request: URLRequest,
        _ bodyFile: BodyFile?,
        with issued: Authenticator.Issued?,
        isSame: Bool
    ) {
        var credentials: [Credential] = []
        do {
            let preparation = RequestPreparation(credential: issued?.credential, plugins: context.settings.plugins)
            let prepared = try preparation.prepare(request, bodyFile, &credentials)
            let method = prepared.request.httpMethod.flatMap(HTTPMethod.init(rawValue:))
            let plan = Exchange.Plan(
                request: prepared.request,
                bodyFile: prepared.bodyFile,
                isIdempotent: options.isIdempotent
                    ?? (method?.isIdempotent == true || request.value(forHTTPHeaderField: "Idempotency-Key") != nil),
                issued: issued,
                credentials: credentials
            )
            send(plan, isAttempt: !isSame)
        } catch {
            let error = TeapotError.preparationFailed(error, secrets.adding(credentials))
            handle(.decided(.finish(.failure(error), nil, using: credentials)))
        }
    }

    /// Sends a request again, or one from a redirect, with another credential.
    private func send(_ plan: Exchange.Plan, with issued: Authenticator.Issued) {
        var plan = plan
        do throws(TeapotError) {
            if let stale = plan.issued { plan.request.setValue(nil, forHTTPHeaderField: stale.credential.name) }
            try issued.credential.apply(to: &plan.request)
            plan.issued = issued
            plan.credentials.append(issued.credential)
            send(plan)
        } catch {
            fail(error)
        }
    }

    private func send(_ plan: Exchange.Plan, isAttempt: Bool = false) {
        // The credential may have been rejected since it was issued.
        if let authenticator = options.authenticator, let issued = plan.issuedInUse, authenticator.isStale(issued) {
            return authorize(.again(plan, isSame: !isAttempt), with: authenticator, insteadOf: issued)
        }
        do throws(TeapotError) {
            try plan.bodyFile?.check()
        } catch {
            return fail(error)
        }
        handle(.decided(.send(Exchange(plan, at: context.time.elapsed), isAttempt: isAttempt)))
    }

    /// Shows the request to the log, the caller and the plugins. Each of them may cancel the call: it is then not sent.
    private func show(_ exchange: Exchange, _ plan: Exchange.Plan, _ history: History) {
        let request = addingCookies(to: plan.request)
        history.log.outgoing(request, bodyFile: plan.bodyFile, exchange.id)
        options.hooks.sent?(0, exchange.bodySize)
        guard !context.settings.plugins.isEmpty else {
            handle(.shown(request, nil, exchange))
            return
        }
        let sent = Teapot.SentRequest(
            id: exchange.id,
            urlRequest: request,
            bodyFile: plan.bodyFile?.url,
            attempt: history.attempts,
            secrets: history.log.secrets,
            start: context.time.elapsed
        )
        for plugin in context.settings.plugins { plugin.willSend(sent) }
        handle(.shown(request, sent, exchange))
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

    private func start(
        _ exchange: Exchange,
        _ plan: Exchange.Plan,
        _ request: URLRequest,
        _ transport: any InformedTransport
    ) {
        let details = ExchangeDetails(
            // A redirect goes to a URL that is not the endpoint's.
            endpoint: plan.redirects == 0 ? options.endpoint : nil,
            bodyFile: plan.bodyFile,
            isIdempotent: plan.isIdempotent,
            credentials: plan.credentials,
            secrets: context.log.secrets
        )
        // The transport's closure keeps the call alive while the exchange is under way.
        let started = transport.start(request, details) { event in self.handle(.received(event, exchange)) }
        var task: URLSessionTask?
        if !CallTask.isAvailable, case .underWay(let own) = started { task = own.urlSessionTask }
        handle(.started(started, exchange, task))
        options.hooks.sink?.started()
    }

    // MARK: - On the way back

    /// Passes events to the sink one at a time, in order.
    private func feed(_ exchange: Exchange, _ call: (any BodySink) throws(TeapotError) -> Void) {
        guard let sink = options.hooks.sink else { return }
        do {
            try call(sink)
            handle(.sinkIsDone(nil, exchange))
        } catch {
            handle(.sinkIsDone(error, exchange))
        }
    }

    /// Decides what follows an exchange. Parsing a large body takes time, in which the transport's other exchanges would get no
    /// events.
    private func decide(_ end: Exchange.End) {
        if case .queue = options.limits.delivery, end.data.count > Self.largeBody {
            Self.largeBodyQueue.async { self.look(at: end) }
        } else {
            look(at: end)
        }
    }

    /// In bytes. Parsing a smaller body takes less time than changing threads.
    private static let largeBody = 32_768
    private static let largeBodyQueue = DispatchQueue(label: "Teapot.Call", attributes: .concurrent)

    private func look(at end: Exchange.End) {
        // Past the limit or the timeout, the transport is still working on it.
        if end.isPremature { end.task?.cancel() }
        if let error = end.error, CallTask.isCancellation(error) { return cancel() }
        let plan = end.plan
        guard let response = end.response else {
            let error = end.error ?? URLError(.badServerResponse)
            return settle(.failure(error as? TeapotError ?? .noResponse(error)), end)
        }
        if let url = plan.request.url { context.cookies?.store(response, from: url) }
        end.history.log.incoming(response, end, context.time)
        if let error = end.error {
            return settle(.failure(Self.error(error, response, end.data, end.history.log.secrets)), end)
        }
        guard !response.isSuccess else {
            return settle(.success(Teapot.Response(data: end.data, http: response, details: .none)), end)
        }
        // Their header fields stay behind even if the policy is off.
        let redirects = RedirectPolicy(secrets: context.log.secrets.adding(plan.credentials.map(\.name)))
        switch redirects.decision(for: plan.request, response, after: plan.redirects) {
        case .follow(let request): follow(request, from: end, response)
        case .refuse(let reason):
            settle(.failure(.invalidResponseStatus(response, data: end.data, reason: reason)), end)
        case .none: settle(.failure(.invalidResponseStatus(response, data: end.data)), end)
        }
    }

    private func follow(_ request: URLRequest, from end: Exchange.End, _ response: HTTPURLResponse) {
        _ = report(.invalidResponseStatus(response, data: end.data), end)
        var plan = end.plan
        // The method changes where the body is dropped.
        if request.httpMethod != plan.request.httpMethod { plan.bodyFile = nil }
        plan.request = request
        plan.redirects += 1
        send(plan)
    }

    /// Ends the call with the outcome of an exchange, unless the request should be sent again.
    private func settle(_ outcome: Outcome, _ end: Exchange.End) {
        if case .failure(let error) = outcome {
            if replays(after: error, end) || asksAnew(after: error, end) || retries(after: error, end) { return }
        }
        handle(.decided(.finish(outcome, end.sent)))
    }

    /// Sends the request again, once, if the server rejected its credential.
    private func replays(after error: TeapotError, _ end: Exchange.End) -> Bool {
        guard
            error.type == .invalidResponseStatus, error.responseStatus == 401, !end.history.wasRejected,
            let authenticator = options.authenticator, let stale = end.plan.issuedInUse
        else { return false }
        handle(.rejected)
        passOver(error, end)
        authorize(.again(end.plan, isSame: true), with: authenticator, insteadOf: stale)
        return true
    }

    /// Sends the request again if the sink cannot use the response; it then asks for something else.
    private func asksAnew(after error: TeapotError, _ end: Exchange.End) -> Bool {
        guard end.isPremature, let fields = options.hooks.sink?.askAnew() else { return false }
        passOver(error, end)
        handle(.decided(.attempt(setting: fields)))
        return true
    }

    private func retries(after error: TeapotError, _ end: Exchange.End) -> Bool {
        guard let policy = context.settings.retryPolicy, end.plan.isIdempotent, end.sinkUse != .now,
            !end.timings.isFromCache
        else { return false }
        var attempts = end.history.attempts - end.history.attemptsBeforeProgress
        if end.sinkUse == .before, options.hooks.sink?.hasProgressed() == true {
            handle(.progressed)
            attempts = 1
        }
        guard let delay = policy.delay(after: error, attempts: attempts) else { return false }
        let time = context.time.elapsed + delay
        if let deadline = options.limits.deadline, deadline <= time { return false }
        // The part of the body that the sink has is useless, unless the sink can resume from it.
        var fields: [String: String?] = [:]
        if end.sinkUse == .before {
            guard let change = options.hooks.sink?.startOver() else { return false }
            fields = change
        }
        passOver(error, end)
        handle(.decided(.retry(after: error, at: time, setting: fields)))
        return true
    }

    /// Reports and logs the failure of a request that is sent again.
    private func passOver(_ error: TeapotError, _ end: Exchange.End) {
        end.history.log.failed(report(error, end), end.exchange, context.time)
    }

    /// Reports the outcome of a request that is not the last of the call.
    private func report(_ error: TeapotError, _ end: Exchange.End) -> TeapotError {
        let error = error.with(details(end.history, end.timings, end.plan.request))
        report(.failure(error), of: end.sent)
        return error
    }

    /// Shapes an outcome for the caller.
    private func shape(_ shaping: Shaping) {
        let details = details(shaping.history, shaping.timings, shaping.request)
        let outcome = shaping.outcome.with(details)
        guard let sink = options.hooks.sink else { return conclude(outcome, shaping) }
        sink.finish(outcome) { outcome in self.conclude(outcome.with(details), shaping) }
    }

    private func conclude(_ outcome: Outcome, _ shaping: Shaping) {
        var failure: TeapotError?
        if case .failure(let error) = outcome {
            failure = error
            shaping.history.log.failed(error, shaping.exchange, context.time)
        }
        report(outcome, of: shaping.sent)
        handle(.shaped(failure, deliver: shaping.supplies.prepare(outcome)))
    }

    /// Reports the outcome of a request to the plugins.
    private func report(_ outcome: Outcome, of sent: Teapot.SentRequest?) {
        guard !context.settings.plugins.isEmpty, var sent else { return }
        sent.timings = (sent.timings ?? Teapot.Timings()).total(context.time.elapsed - sent.start)
        for plugin in context.settings.plugins { plugin.didReceive(outcome, for: sent) }
    }

    /// The secrets to redact in texts, including the credentials in use.
    private var secrets: SecretPolicy { state.withLock { $0.history.log }.secrets }

    /// The details of the call that a response or an error keeps.
    private func details(_ history: History, _ timings: Teapot.Timings, _ request: URLRequest?) -> CallDetails {
        CallDetails(
            decoder: context.settings.decoder,
            secrets: history.log.secrets,
            attempts: history.attempts,
            maximumAttempts: context.settings.retryPolicy?.maximumAttempts ?? 1,
            timings: timings.total(context.time.elapsed - begun),
            request: request.flatMap { request in request.url.map { (request.httpMethod ?? "GET", $0) } }
        )
    }

    private static func error(
        _ error: any Error,
        _ response: HTTPURLResponse,
        _ data: Data,
        _ secrets: SecretPolicy
    ) -> TeapotError {
        guard let error = error as? TeapotError else {
            let reason = secrets.redacted(line: error.localizedDescription)
            return .dataTaskError(error, reason: reason, response: response, data: data)
        }
        return error.response == nil ? error.with(response, data) : error
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
