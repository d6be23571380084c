public import Teapot

/// A transport with a private cache in memory (RFC 9111), in front of another transport.
///
/// It stores what servers let it store of the responses to `GET` and `HEAD`, uses it for as long as the server said, and then
/// asks the server whether it still holds. A response to a request with a credential is stored only if the server allows that
/// in so many words, and is used for requests with the same credential and the same cookies only. Nothing is on disk. Teapots
/// may share one.
public final class CachingTransport: Transport, InformedTransport {
    private let transport: any InformedTransport
    private let store: ResponseStore
    private let now: @Sendable () -> Date

    /// Makes a transport with an empty cache.
    ///
    /// - Parameters:
    ///   - transport: What carries the requests that the cache does not answer.
    ///   - maximumSize: How many bytes the stored responses may take; the least recently used go first. A body of more than an
    ///     eighth of that is not stored.
    ///   - now: What time it is.
    public init(
        wrapping transport: any Transport = URLSessionTransport(),
        maximumSize: Int = 32_000_000,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.transport, self.now) = (transport.informed, now)
        store = ResponseStore(maximumSize: max(maximumSize, 0))
    }

    /// Shares the cache of another.
    private init(_ other: CachingTransport, _ transport: any InformedTransport) {
        (self.transport, store, now) = (transport, other.store, other.now)
    }

    package var answersAtOnce: Bool { transport.answersAtOnce }

    package var forBlocking: any InformedTransport { CachingTransport(self, transport.forBlocking) }

    /// Removes all that is stored, as when a user signs out. What is under way is not stored either.
    public func removeAll() { store.invalidate(nil) }

    /// Answers out of the cache, or starts an exchange of the other transport.
    public func start(
        _ request: URLRequest,
        bodyFile: URL?,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        start(uninformed: request, bodyFile: bodyFile, receive: receive)
    }

    package func start(
        _ request: URLRequest,
        _ details: ExchangeDetails,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> StartedExchange {
        guard let asked = CacheableRequest(request, details) else {
            return transport.start(request, details) { event in
                if case .response(let response) = event { self.invalidate(after: request, response) }
                receive(event)
            }
        }
        let invalidations = store.invalidations
        let (stored, time) = (store.response(for: asked), now())
        if let stored, asked.accepts(stored, at: time) {
            stored.events(for: asked.method, at: time).forEach(receive)
            return .over
        }
        if asked.control.has("only-if-cached"), let url = request.url {
            // Section 5.2.1.7.
            let response = HTTPURLResponse(url: url, statusCode: 504, httpVersion: "HTTP/1.1", headerFields: [:])
            if let response { receive(.response(response)) }
            var timings = Teapot.Timings()
            // Another attempt would find the same.
            timings.isFromCache = true
            receive(.measured(timings))
            receive(.finished(nil))
            return .over
        }
        var request = request
        for (name, value) in stored?.validators ?? [:] { request.setValue(value, forHTTPHeaderField: name) }
        let exchange = Locked(CachedExchange(asked, stored, at: time, maximumBodySize: store.maximumBodySize))
        return transport.start(request, details) { event in
            let now = self.now()
            let (events, change) = exchange.withLock { $0.take(event, at: now) }
            switch change {
            case .store(let response): self.store.replace(with: response, for: asked, asOf: invalidations)
            case .remove: self.store.replace(with: nil, for: asked, asOf: invalidations)
            case nil: break
            }
            events.forEach(receive)
        }
    }

    /// Removes what a request of an unsafe method has changed, as far as the response says (section 4.4).
    private func invalidate(after request: URLRequest, _ response: HTTPURLResponse) {
        let isSafe = ["GET", "HEAD", "OPTIONS", "TRACE"].contains(request.httpMethod ?? "GET")
        guard !isSafe, (200..<400).contains(response.statusCode), let url = request.url else { return }
        let others = ["Location", "Content-Location"].compactMap { response.field($0) }
            .compactMap { RedirectPolicy.resolve($0, against: url) }
            .filter { Origin($0) == Origin(url) }
        store.invalidate(([url] + others).map(CacheableRequest.key))
    }
}
