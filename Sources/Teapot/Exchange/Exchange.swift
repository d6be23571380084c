internal import TeapotFoundation

/// One call on its way: from a `URLRequest`, over as many hops as redirects take, to one outcome, delivered once.
///
/// It owns all the state of the call, behind one lock. Events of the transport, the timer and the caller's task come
/// from any thread, in any order; each looks at the state, changes it, and acts after the lock is released.
package final class Exchange: Sendable {
    package typealias Outcome = Result<Teapot.Response, TeapotError>

    /// What an exchange needs, the same for each hop.
    struct Context: Sendable {
        let cookies: CookieJar?
        let log: ExchangeLog
        /// In bytes.
        let maximumResponseSize: Int?
        /// Seconds without progress; `nil` for no limit.
        let timeout: TimeInterval?
        let time: any TimeSource
        /// Where the outcome is delivered; `nil` for at once, on the thread that has it.
        let deliveryQueue: DispatchQueue?
        /// Where it is delivered instead of at once when the exchange had to wait.
        let delayedDeliveryQueue: DispatchQueue?
        /// What decodes the bodies of responses and errors, if the caller brings nothing else.
        let decoder: JSONDecoder
        let plugins: [any Teapot.Plugin]
        /// `nil` also for requests of its own.
        let authenticator: Authenticator?
        let retries: RetryPolicy?
        /// Whether the request may be sent twice; `nil` if its method says so.
        let isIdempotent: Bool?
        /// What the request was made of, for the transport.
        let endpoint: (any Endpoint)?
        let hooks: Hooks
    }

    /// What some callers want of an exchange beside its outcome. Each is called on the thread that has it.
    struct Hooks: Sendable {
        /// Takes the body of a success, instead of the response.
        var sink: (any BodySink)?
        /// Takes the number of bytes of the request's body that were sent so far, and of those there are.
        var sent: (@Sendable (Int, Int) -> Void)?
        /// Called instead of an outcome when the exchange is cancelled, with the error that says so.
        var cancelled: (@Sendable (TeapotError) -> Void)?
    }

    private let context: Context
    private let state: Locked<State>

    /// Makes an exchange that has not started.
    ///
    /// - Parameters:
    ///   - transport: What carries each hop; let go of when the exchange is over.
    ///   - context: What else it needs.
    ///   - prepare: Shapes the outcome, on the thread that has it. What it returns hands it over, on the delivery queue.
    init(
        transport: any Transport,
        context: Context,
        prepare: @escaping @Sendable (Outcome) -> @Sendable () -> Void
    ) {
        self.context = context
        state = Locked(State(transport: transport, prepare: prepare))
    }

    // MARK: - Begin and end

    /// Sends a request. Called once; redirects, further attempts and other credentials send the next one.
    func start(_ request: URLRequest, bodyFile: BodyFile? = nil) {
        let deadline = context.retries?.limit.map { context.time.elapsed + $0 }
        state.withLock { $0.begin(request, bodyFile, deadline: deadline) }
        begin((request, bodyFile))
    }

    /// Begins an attempt.
    private func begin(_ call: State.Call) {
        if let authenticator = context.authenticator, authenticator.isResponsible(for: call.request) {
            begin(.attempt(isReplay: false), with: authenticator)
        } else {
            begin(call, with: nil)
        }
    }

    /// Begins an attempt, or sends a request of one again, as soon as there is a credential.
    private func begin(
        _ next: Pause.Next,
        with authenticator: Authenticator,
        insteadOf stale: Authenticator.Issued? = nil
    ) {
        switch authenticator.credential(insteadOf: stale) {
        case .success(let issued): return proceed(next, with: issued)
        case .failure(let error): return fail(.preparationFailed(error, log.secrets))
        case nil: break
        }
        let now = context.time.elapsed
        guard let number = state.withLock({ $0.beginPause(.credential(for: next), at: now) }) else { return }
        let withdraw = authenticator.awaitCredential(insteadOf: stale, context.time) { credential in
            self.state.withLock { $0.resolve(credential, pause: number) }
            self.wait(number)
        }
        // The exchange may have been cancelled, or gone on, before this was known here.
        guard state.withLock({ $0.keep(withdraw, pause: number) }) else { return withdraw() }
        wait(number)
    }

    private func proceed(_ next: Pause.Next, with issued: Authenticator.Issued) {
        switch next {
        case .attempt(let isReplay):
            if let call = state.withLock({ $0.nextCall }) { begin(call, with: issued, isReplay: isReplay) }
        case .hop(let hop): send(hop, with: issued)
        }
    }

    private func begin(_ call: State.Call, with issued: Authenticator.Issued?, isReplay: Bool = false) {
        var credentials: [Credential] = []
        do throws(TeapotError) {
            let preparation = RequestPreparation(
                credential: issued?.credential,
                plugins: context.plugins,
                secrets: log.secrets
            )
            let prepared = try preparation.prepare(call.request, call.bodyFile, &credentials)
            let method = prepared.request.httpMethod.flatMap(HTTPMethod.init)
            let next = NextHop(
                request: prepared.request,
                bodyFile: prepared.bodyFile,
                isIdempotent: context.isIdempotent ?? method?.isIdempotent ?? false,
                credential: issued,
                credentials: credentials
            )
            send(next, isAttempt: !isReplay)
        } catch {
            state.withLock { $0.note(credentials) }
            fail(error)
        }
    }

    /// Sends a request again, or one that a redirect led to, with another credential.
    private func send(_ hop: NextHop, with issued: Authenticator.Issued) {
        var request = hop.request
        do throws(TeapotError) {
            if let stale = hop.credential { request.setValue(nil, forHTTPHeaderField: stale.credential.name) }
            try issued.credential.apply(to: &request)
            var next = hop
            next.request = request
            next.credential = issued
            next.credentials.append(issued.credential)
            send(next)
        } catch {
            fail(error)
        }
    }

    private func send(_ next: NextHop, isAttempt: Bool = false) {
        // Others may have found out since the credential was given, however long ago that is.
        if let authenticator = context.authenticator, let issued = next.credentialInUse, authenticator.isStale(issued) {
            return begin(.again(next, isReplay: !isAttempt), with: authenticator, insteadOf: issued)
        }
        do throws(TeapotError) {
            try next.bodyFile?.check()
        } catch {
            return fail(error)
        }
        let now = context.time.elapsed
        guard
            let (number, bodySize, transport) = state.withLock({ $0.beginHop(next, isAttempt: isAttempt, at: now) })
        else { return }
        let sent = addingCookies(to: next.request)
        let log = self.log
        log.outgoing(sent, bodyFile: next.bodyFile)
        context.hooks.sent?(0, bodySize)
        guard showPlugins(sent, next.bodyFile, log.secrets, hop: number) else { return }
        let details = ExchangeDetails(
            // A redirect leads elsewhere than the endpoint.
            endpoint: next.redirects == 0 ? context.endpoint : nil,
            bodyFile: next.bodyFile,
            isIdempotent: next.isIdempotent,
            credentials: next.credentials
        )
        // The transport's closure keeps the exchange alive for as long as the hop is under way.
        let task = transport.start(sent, details) { event in self.receive(event, hop: number) }
        // The caller may have cancelled, and the transport may have ended, before the task was known here.
        guard state.withLock({ $0.adopt(task, hop: number) }) else { return task.cancel() }
        context.hooks.sink?.started()
        wait(number)
    }

    /// The jar's cookies belong to one hop: the next one has its own.
    private func addingCookies(to request: URLRequest) -> URLRequest {
        guard
            let url = request.url, request.value(forHTTPHeaderField: "Cookie") == nil,
            let cookies = context.cookies?.header(for: url)
        else { return request }
        var request = request
        request.setValue(cookies, forHTTPHeaderField: "Cookie")
        return request
    }

    // MARK: - Plugins

    /// - Returns: Whether the hop is still to be sent.
    private func showPlugins(
        _ request: URLRequest,
        _ bodyFile: BodyFile?,
        _ secrets: SecretPolicy,
        hop number: Int
    ) -> Bool {
        guard !context.plugins.isEmpty else { return true }
        let attempt = state.withLock { $0.attempts }
        let sent = Teapot.SentRequest(urlRequest: request, bodyFile: bodyFile?.url, attempt: attempt, secrets: secrets)
        for plugin in context.plugins { plugin.willSend(sent) }
        let isUnderWay = state.withLock { $0.keep(sent, hop: number) }
        if !isUnderWay { report(.failure(complete(.cancelled())), of: sent) }
        return isUnderWay
    }

    /// Shows the plugins what came of the hop, once.
    private func report(_ outcome: @autoclosure () -> Outcome) {
        guard !context.plugins.isEmpty, let sent = state.withLock({ $0.takeReport() }) else { return }
        report(outcome(), of: sent)
    }

    private func report(_ outcome: Outcome, of sent: Teapot.SentRequest) {
        for plugin in context.plugins { plugin.didReceive(outcome, for: sent) }
    }

    // MARK: - The end

    /// Ends the exchange with an error found before or beside the transport.
    func fail(_ error: TeapotError) {
        finish(.failure(error))
    }

    private func finish(_ outcome: Outcome) {
        let sink = context.hooks.sink
        guard let prepare = state.withLock({ $0.takePrepare(isLastWord: sink != nil) }) else { return }
        let known = outcome.mapError(complete)
        let outcome = sink?.finish(known).mapError(complete) ?? known
        if let error = outcome.error { log.failed(error, request: currentRequest) }
        report(outcome)
        let delivery = prepare(outcome)
        if state.withLock({ $0.finish(with: delivery, error: outcome.error) }).isDeliverable { enqueueDelivery() }
    }

    /// The error as the caller gets it.
    private func complete(_ error: TeapotError) -> TeapotError {
        error.with(details)
    }

    private var details: CallDetails {
        let (attempts, credentials) = state.withLock { ($0.attempts, $0.credentials) }
        return CallDetails(
            decoder: context.decoder,
            secrets: context.log.adding(credentials).secrets,
            attempts: attempts
        )
    }

    private func enqueueDelivery() {
        guard let queue = context.deliveryQueue ?? queueAfterWait else { return deliver() }
        queue.async { self.deliver() }
    }

    private var queueAfterWait: DispatchQueue? {
        context.delayedDeliveryQueue.flatMap { queue in state.withLock { $0.hasWaited } ? queue : nil }
    }

    /// On the delivery queue: the caller may have suspended or cancelled in the meantime.
    private func deliver() {
        state.withLock { $0.takeDelivery() }?()
    }

    // MARK: - The caller's task

    func suspend() {
        state.withLock { $0.suspend() }?.cancel()
    }

    func resume() {
        let now = context.time.elapsed
        switch state.withLock({ $0.resume(at: now) }) {
        case .nothing: break
        case .deliver: enqueueDelivery()
        case .conclude(let ending): conclude(ending)
        case .watch(let number): wait(number)
        }
    }

    /// Ends the exchange without an outcome.
    func cancel() {
        guard let remains = state.withLock({ $0.cancel() }) else { return }
        remains.timer?.cancel()
        remains.pause?.clear()
        remains.task?.cancel()
        let error = complete(.cancelled())
        if let sent = remains.sent { report(.failure(error), of: sent) }
        _ = context.hooks.sink?.finish(.failure(error))
        context.hooks.cancelled?(error)
    }

    /// Asks the transport to hold back what comes of the body, or to go on. The timeout stands still meanwhile.
    ///
    /// - Returns: Whether there was anybody to ask.
    func holdBack(_ isHeldBack: Bool) -> Bool {
        let now = context.time.elapsed
        guard let hop = state.withLock({ $0.holdBack(isHeldBack, at: now) }) else { return false }
        isHeldBack ? hop.task.suspend() : hop.task.resume()
        if !isHeldBack { wait(hop.number) }
        return true
    }

    /// Ends the exchange if it has been idle for too long, for a caller who waits on its own thread.
    func checkIdleness() {
        wait(state.withLock { $0.number })
    }

    var snapshot: Snapshot { state.withLock { $0.snapshot } }

    private var currentRequest: URLRequest? { state.withLock { $0.currentRequest } }

    /// The first hop's own task, for platforms where Teapot cannot make one.
    var firstTask: URLSessionTask? { state.withLock { $0.firstTask } }

    // MARK: - Events

    private func receive(_ event: TransportEvent, hop number: Int) {
        let limit = context.maximumResponseSize
        let hasSink = context.hooks.sink != nil
        let now = context.time.elapsed
        switch state.withLock({ $0.receive(event, hop: number, limit: limit, hasSink: hasSink, at: now) }) {
        case .nothing: break
        case .sent(let count, let size): context.hooks.sent?(count, size)
        case .begin(let response): feed(hop: number) { sink throws(TeapotError) in try sink.begin(response) }
        case .write(let data): feed(hop: number) { sink throws(TeapotError) in try sink.receive(data) }
        case .end(let ending): end(ending)
        }
    }

    /// Events come one after the other, and so do these calls.
    private func feed(hop number: Int, _ call: (any BodySink) throws(TeapotError) -> Void) {
        guard let sink = context.hooks.sink else { return }
        do {
            try call(sink)
            state.withLock { $0.endFeeding(hop: number) }
        } catch {
            if let ending = state.withLock({ $0.endHop(number, error) }) { end(ending) }
        }
    }

    private func end(_ ending: Ending) {
        // Parsing a large body takes a while, in which other exchanges of the transport would get no events.
        if context.deliveryQueue != nil, ending.data.count > Self.largeBody {
            Self.largeBodyQueue.async { self.conclude(ending) }
        } else {
            conclude(ending)
        }
    }

    /// In bytes. Smaller ones are parsed sooner than handed on.
    private static let largeBody = 32_768
    private static let largeBodyQueue = DispatchQueue(label: "Teapot.Exchange", attributes: .concurrent)

    private func conclude(_ ending: Ending) {
        ending.timer?.cancel()
        // Past the limit or the timeout the transport is still at it.
        if ending.isPremature { ending.task?.cancel() }
        if let error = ending.error, ExchangeTask.isCancellation(error) { return cancel() }
        guard let response = ending.response else {
            return settle(.failure(Self.error(ending.error ?? URLError(.badServerResponse))), ending)
        }
        if let url = ending.request.url { context.cookies?.store(response, from: url) }
        log.incoming(response, data: ending.data, request: ending.request)
        if let error = ending.error {
            return settle(.failure(self.error(error, response: response, data: ending.data)), ending)
        }
        // Their fields stay behind even if the policy is off.
        let names = ending.hop.credentials.map(\.name)
        let redirects = RedirectPolicy(secrets: context.log.secrets.adding(names))
        switch redirects.decision(for: ending.request, response, after: ending.hop.redirects) {
        case .follow(let request): follow(request, from: ending, response)
        case .refuse(let reason):
            settle(.failure(.invalidResponseStatus(response, data: ending.data, reason: reason)), ending)
        case .none where response.isSuccess:
            let success = Teapot.Response(
                data: ending.data,
                http: response,
                details: details
            )
            settle(.success(success), ending)
        case .none:
            settle(.failure(.invalidResponseStatus(response, data: ending.data)), ending)
        }
    }

    private func follow(_ request: URLRequest, from ending: Ending, _ response: HTTPURLResponse) {
        report(.failure(complete(.invalidResponseStatus(response, data: ending.data))))
        // The method changes where the body is dropped.
        let keepsBody = request.httpMethod == ending.request.httpMethod
        var next = ending.hop
        next.request = request
        next.redirects += 1
        if !keepsBody { next.bodyFile = nil }
        send(next)
    }

    /// Delivers what a hop came to, unless the request is worth another try.
    private func settle(_ outcome: Outcome, _ ending: Ending) {
        if case .failure(let error) = outcome {
            if replays(after: error, ending) || asksAnew(after: error, ending) { return }
            if let delay = retryDelay(after: error, ending) { return retry(after: error, ending, delay) }
        }
        finish(outcome)
    }

    /// Sends a request again whose credential the server did not take; once.
    private func replays(after error: TeapotError, _ ending: Ending) -> Bool {
        guard
            error.type == .invalidResponseStatus, error.responseStatus == 401,
            let authenticator = context.authenticator, let stale = ending.hop.credentialInUse
        else { return false }
        let isFirst = state.withLock { state in
            defer { state.isReplayed = true }
            return !state.isReplayed
        }
        guard isFirst else { return false }
        passOver(complete(error), ending)
        begin(.again(ending.hop, isReplay: true), with: authenticator, insteadOf: stale)
        return true
    }

    /// Sends a request again whose response the sink cannot use. It asks for something else then.
    private func asksAnew(after error: TeapotError, _ ending: Ending) -> Bool {
        guard ending.isPremature, let fields = context.hooks.sink?.askAnew() else { return false }
        passOver(complete(error), ending)
        guard
            let call = state.withLock({
                $0.setFields(fields); return $0.nextCall
            })
        else { return true }
        begin(call)
        return true
    }

    /// How long to wait before the next attempt; `nil` if there is none.
    private func retryDelay(after error: TeapotError, _ ending: Ending) -> Duration? {
        guard
            let policy = context.retries, ending.hop.isIdempotent, ending.sinkUse != .now,
            let (attempts, deadline) = state.withLock({ $0.retryState }),
            let delay = policy.delay(after: error, attempts: attempts)
        else { return nil }
        if let deadline, deadline <= context.time.elapsed + delay { return nil }
        return delay
    }

    private func retry(after error: TeapotError, _ ending: Ending, _ delay: Duration) {
        // What the sink has of the body is of no use, unless it knows how to go on from there.
        if ending.sinkUse == .before {
            guard let fields = context.hooks.sink?.startOver() else { return finish(.failure(error)) }
            state.withLock { $0.setFields(fields) }
        }
        let error = complete(error)
        passOver(error, ending)
        let now = context.time.elapsed
        let reason = Pause.Reason.retry(after: error, at: now + delay)
        if let number = state.withLock({ $0.beginPause(reason, at: now) }) { wait(number) }
    }

    /// Shows what a request came to that is not the last of the call.
    private func passOver(_ error: TeapotError, _ ending: Ending) {
        report(.failure(error))
        log.failed(error, request: ending.request)
    }

    /// The log, which shows nothing of the credentials that are in use.
    private var log: ExchangeLog { context.log.adding(state.withLock { $0.credentials }) }

    private static func error(_ error: any Error) -> TeapotError {
        error as? TeapotError ?? .noResponse(error)
    }

    private func error(_ error: any Error, response: HTTPURLResponse, data: Data) -> TeapotError {
        switch error {
        case let error as TeapotError:
            return error.response == nil ? error.with(response, data) : error
        case let error as SizeLimitExceeded:
            return .responseTooLarge(limit: error.limit, response: response, data: data)
        default:
            let reason = log.secrets.shown(line: error.localizedDescription)
            return .dataTaskError(error, reason: reason, response: response, data: data)
        }
    }

    // MARK: - Time

    /// Sets a timer for what the hop or the pause waits for, and sets it again if there was progress since.
    private func wait(_ number: Int) {
        let now = context.time.elapsed
        switch state.withLock({ $0.afterWait(number, timeout: context.timeout, at: now) }) {
        case .nothing: break
        case .expired(let ending): conclude(ending)
        case .answer(let task): task.fire()
        case .proceed(let end, let pause): proceed(end, pause)
        case .wait(let deadline, let waitNumber):
            let timer = context.time.timer(at: deadline) { self.wait(number) }
            state.withLock { $0.keep(timer, for: number, wait: waitNumber) }?.cancel()
        }
    }

    private func proceed(_ end: Pause.End, _ pause: Pause) {
        pause.clear()
        switch end {
        case .attempt:
            if let call = state.withLock({ $0.nextCall }) { begin(call) }
        case .authorized(let issued, let next): proceed(next, with: issued)
        case .failed(let error): fail(.preparationFailed(error, log.secrets))
        }
    }
}

extension Result {
    fileprivate var error: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
