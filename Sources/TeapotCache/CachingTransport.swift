public import Teapot

/// A transport with a private cache in memory (RFC 9111), in front of another transport.
///
/// It stores responses to `GET` and `HEAD` if the server allows it, uses them as long as the server stated, and then
/// asks the server whether they are still valid. A response to a request with a credential or cookies is used only for requests
/// with the same ones, unless the cache serves one user. Of equal requests at the same time, one is sent. Nothing is
/// stored on disk. Several Teapots can share one transport.
public final class CachingTransport: Transport {
    private let transport: any Transport
    private let store: ResponseStore
    private let underWay = InFlightRequests()
    private let servesOneUser: Bool
    private let now: @Sendable () -> Moment

    /// Makes a transport with an empty cache.
    ///
    /// - Parameters:
    ///   - transport: Carries the requests that the cache does not answer.
    ///   - maximumSize: The maximum number of bytes of stored responses, with header fields and the bodies that are
    ///     arriving; the least recently used are removed first. A body larger than an eighth of that is not stored.
    ///   - servesOneUser: Whether all requests are those of one user, as in an app or a tool. Then neither cookies nor
    ///     the values of credentials separate stored responses, so that a new token or session still finds them: only
    ///     `Vary` does, as in a browser. Call ``removeAll()`` when the user signs out.
    ///   - now: Returns the current time, for tests; if `nil`, the clocks of the system do.
    public init(
        wrapping transport: any Transport = URLSessionTransport(),
        maximumSize: Int = 32_000_000,
        servesOneUser: Bool = false,
        now: (@Sendable () -> Date)? = nil
    ) {
        self.transport = transport
        self.servesOneUser = servesOneUser
        self.now = Moment.clock(now)
        store = ResponseStore(maximumSize: max(maximumSize, 0))
    }

    /// Removes all stored responses, for example when a user signs out. Responses that are arriving are not stored
    /// either. Cancel the user's calls before: a retry, or the request to which a redirect leads, cannot be told from
    /// that of the next user.
    public func removeAll() { store.invalidate(nil) }

    /// Answers from the cache, waits for an equal request that is under way, or starts an exchange of the other transport.
    public func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? { start(request, receive, clearances: nil) }

    /// Starts a request. If it has waited for an equal one, it does not wait again, and `clearances` is the number of removals of all
    /// responses before. If all were removed meanwhile, the user may have signed out: then the request bypasses the cache, so that nothing
    /// of one user is stored or used for the next.
    private func start(
        _ request: TransportRequest,
        _ receive: @escaping @Sendable (TransportEvent) -> Void,
        clearances: Int?
    ) -> (any TransportTask)? {
        guard let asked = CacheableRequest(request, servesOneUser: servesOneUser) else {
            let control = CacheControl(request.urlRequest.value(forHTTPHeaderField: "Cache-Control"))
            if control.has("only-if-cached") { return refuse(request.urlRequest, receive) }
            return transport.start(request) { event in
                if case .response(let head) = event.kind { self.invalidate(after: request.urlRequest, head) }
                receive(event)
            }
        }
        // The reservation comes first: a removal between it and the look into the store makes it void.
        let reservation = ResponseStore.Reservation(asked, in: store)
        if let clearances, clearances != reservation.clearances { return transport.start(request, receive: receive) }
        let (stored, time) = (store.response(for: asked), now())
        func answer(with stored: StoredResponse) -> (any TransportTask)? {
            stored.events(for: asked.method, at: time).forEach(receive)
            return nil
        }
        if let stored, asked.accepts(stored, at: time) { return answer(with: stored) }
        if asked.control.has("only-if-cached") { return refuse(request.urlRequest, receive) }
        let exchange = CachedExchange(reservation, stored, at: time)
        if let stored, asked.accepts(stored, at: time, onError: false) {
            if let leader = underWay.lead(reservation.equalParts), let task = ask(request, exchange, leader, { _ in }) {
                leader.task.withLock { $0 = task }
                // No call has a timeout for this request.
                let end = DispatchTimer().elapsed + .seconds(max(0, min(60, request.urlRequest.timeoutInterval)))
                _ = DispatchTimer().timer(at: end) { [weak leader] in leader?.cancel() }
            }
            return answer(with: stored)
        }
        guard clearances == nil, asked.mayBeAnswered(after: stored) else { return ask(request, exchange, nil, receive) }
        let (leader, waiting, _) = underWay.join(
            reservation.equalParts,
            WaitingRequest(receive) { self.start(request, receive, clearances: reservation.clearances) }
        )
        guard waiting == nil else { return waiting }
        // An equal request may have ended since the store was asked.
        if let stored = store.response(for: asked), asked.accepts(stored, at: time) {
            underWay.remove(leader)
            leader.release()
            return answer(with: stored)
        }
        return ask(request, exchange, leader, receive).map { LeadingTask(task: $0, leader: leader) }
    }

    /// Answers with status 504 that no stored response can be used (section 5.2.1.7).
    private func refuse(_ request: URLRequest, _ receive: (TransportEvent) -> Void) -> (any TransportTask)? {
        if let url = request.url { receive(.response(from: url, status: 504, fields: [])) }
        var timings = Teapot.Timings()
        timings.isRefusedByCache = true
        receive(.measured(timings))
        receive(.finished(nil))
        return nil
    }

    /// Sends a request, with the conditions that the stored response allows.
    private func ask(
        _ request: TransportRequest,
        _ exchange: sending CachedExchange,
        _ leader: Leader?,
        _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        var request = request
        for (name, value) in exchange.stored?.validators ?? [] { request.urlRequest.setField(name, value) }
        let (reservation, exchange) = (exchange.reservation, Locked(exchange))
        return transport.start(request) { [store, now, weak underWay, weak leader] event in
            let now = now()
            let step = exchange.withLock { $0.take(event, at: now) }
            if let change = step.change { store.apply(change, reservation) }
            if let leader {
                // This comes before the caller gets the event, which may send the same request on this thread.
                if event.isFinished { underWay?.remove(leader) }
                if step.isOfNoUseToOthers || event.isFinished { leader.release() } else { leader.report(event) }
            }
            step.events.forEach(receive)
        }
    }

    /// Removes the responses that a request of an unsafe method has made invalid, as far as the response shows (section 4.4).
    private func invalidate(after request: URLRequest, _ head: ResponseHead) {
        let isSafe = ["GET", "HEAD", "OPTIONS", "TRACE"].contains(request.httpMethod ?? "GET")
        guard !isSafe, (200..<400).contains(head.status), let url = request.url else { return }
        let texts = ["Location", "Content-Location"].compactMap(head.field)
        let others = texts.compactMap(url.resolving).filter { Origin($0) == Origin(url) }
        store.invalidate(([url] + others).map(CacheableRequest.key(of:)))
    }
}
