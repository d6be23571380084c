internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// One call on its way: from a `URLRequest`, over as many hops as redirects take, to one outcome, delivered once.
///
/// It owns all the state of the call, behind one lock. Events of the transport, the timer and the caller's task come
/// from any thread, in any order; each looks at the state, changes it, and acts after the lock is released.
package final class Exchange: Sendable {
    package typealias Outcome = Result<Teapot.Response, TeapotError>

    /// What an exchange needs, the same for each hop.
    struct Context: Sendable {
        let cookies: CookieJar?
        let redirects: RedirectPolicy
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
        let hooks: Hooks
    }

    /// What some callers want of an exchange beside its outcome. Each is called on the thread that has it.
    struct Hooks: Sendable {
        /// Takes the body of a success, instead of the response.
        var sink: (any BodySink)?
        /// Takes the number of bytes of the request's body that were sent so far, and of those there are.
        var sent: (@Sendable (Int, Int) -> Void)?
        /// Called instead of an outcome when the exchange is cancelled.
        var cancelled: (@Sendable () -> Void)?
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

    /// Sends a request. Called once; a redirect sends the next one.
    func start(_ request: URLRequest, bodyFile: BodyFile? = nil) {
        let now = context.time.elapsed
        guard let (number, bodySize, transport) = state.withLock({ $0.beginHop(request, bodyFile, at: now) }) else {
            return
        }
        let sent = addingCookies(to: request)
        context.log.outgoing(sent, bodyFile: bodyFile)
        context.hooks.sent?(0, bodySize)
        // The transport's closure keeps the exchange alive for as long as the hop is under way.
        let task = transport.start(sent, bodyFile: bodyFile?.url) { event in self.receive(event, hop: number) }
        // The caller may have cancelled, and the transport may have ended, before the task was known here.
        guard state.withLock({ $0.adopt(task, hop: number) }) else { return task.cancel() }
        context.hooks.sink?.started()
        wait(hop: number)
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

    /// Ends the exchange with an error found before or beside the transport.
    func fail(_ error: TeapotError) {
        finish(.failure(error))
    }

    private func finish(_ outcome: Outcome) {
        let sink = context.hooks.sink
        guard let prepare = state.withLock({ $0.takePrepare(isLastWord: sink != nil) }) else { return }
        let complete = { (error: TeapotError) in error.with(self.context.decoder, self.context.log.secrets) }
        let known = outcome.mapError(complete)
        let outcome = sink?.finish(known).mapError(complete) ?? known
        if let error = outcome.error { context.log.failed(error, request: currentRequest) }
        let delivery = prepare(outcome)
        if state.withLock({ $0.finish(with: delivery, error: outcome.error) }).isDeliverable { enqueueDelivery() }
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
        case .watch(let hop): wait(hop: hop)
        }
    }

    /// Ends the exchange without an outcome.
    func cancel() {
        guard let remains = state.withLock({ $0.cancel() }) else { return }
        remains.timer?.cancel()
        remains.task?.cancel()
        _ = context.hooks.sink?.finish(.failure(.cancelled()))
        context.hooks.cancelled?()
    }

    /// Asks the transport to hold back what comes of the body, or to go on. The timeout stands still meanwhile.
    ///
    /// - Returns: Whether there was anybody to ask.
    func holdBack(_ isHeldBack: Bool) -> Bool {
        let now = context.time.elapsed
        guard let hop = state.withLock({ $0.holdBack(isHeldBack, at: now) }) else { return false }
        isHeldBack ? hop.task.suspend() : hop.task.resume()
        if !isHeldBack { wait(hop: hop.number) }
        return true
    }

    /// Ends the exchange if it has been idle for too long, for a caller who waits on its own thread.
    func checkIdleness() {
        if let number = state.withLock({ $0.hopNumber }) { wait(hop: number) }
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
            return finish(.failure(Self.error(ending.error ?? URLError(.badServerResponse))))
        }
        if let url = ending.request.url { context.cookies?.store(response, from: url) }
        context.log.incoming(response, data: ending.data, request: ending.request)
        if let error = ending.error {
            return finish(.failure(self.error(error, response: response, data: ending.data)))
        }
        switch context.redirects.decision(for: ending.request, response, after: ending.hop) {
        case .follow(let request):
            // The method changes where the body is dropped.
            start(request, bodyFile: request.httpMethod == ending.request.httpMethod ? ending.bodyFile : nil)
        case .refuse(let reason):
            finish(.failure(.invalidResponseStatus(response, data: ending.data, reason: reason)))
        case .none where response.isSuccess:
            let secrets = context.log.secrets
            finish(
                .success(Teapot.Response(data: ending.data, http: response, decoder: context.decoder, secrets: secrets))
            )
        case .none:
            finish(.failure(.invalidResponseStatus(response, data: ending.data)))
        }
    }

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
            let reason = context.log.secrets.shown(line: error.localizedDescription)
            return .dataTaskError(error, reason: reason, response: response, data: data)
        }
    }

    // MARK: - Time

    /// Sets a timer for what the hop waits for, and sets it again if there was progress since.
    private func wait(hop number: Int) {
        let now = context.time.elapsed
        switch state.withLock({ $0.afterWait(hop: number, timeout: context.timeout, at: now) }) {
        case .nothing: break
        case .expired(let ending): conclude(ending)
        case .answer(let task): task.fire()
        case .wait(let deadline, let waitNumber):
            let timer = context.time.timer(at: deadline) { [weak self] in self?.wait(hop: number) }
            state.withLock { $0.keep(timer, hop: number, wait: waitNumber) }?.cancel()
        }
    }
}

extension Result {
    fileprivate var error: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
