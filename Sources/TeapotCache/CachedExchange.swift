import Teapot

/// An exchange whose response is to be stored, or confirms a stored one. It is used under the lock of its owner.
final class CachedExchange {
    /// The change to the stored response.
    enum Change {
        case store(StoredResponse)
        case remove
    }

    let asked: CacheableRequest
    /// The stored response to be confirmed.
    let stored: StoredResponse?
    let reservation: ResponseStore.Reservation
    private let requestTime: Date
    /// The response that is arriving, and its body so far.
    private var response: StoredResponse?
    private var body = Data()
    /// Whether the caller has got a response.
    private var isAnswered = false
    /// The stored response to be used, and the transport's measurements.
    private var valid: StoredResponse?
    private var timings = Teapot.Timings()
    private var change: Change?

    init(
        _ asked: CacheableRequest,
        _ stored: StoredResponse?,
        _ reservation: ResponseStore.Reservation,
        at now: Date
    ) {
        (self.asked, self.stored, self.reservation, requestTime) = (asked, stored, reservation, now)
    }

    /// What an event leads to.
    struct Step {
        /// The events to pass on.
        let events: [TransportEvent]
        /// The change of the store.
        var change: Change?
        /// Whether the response will not answer equal requests.
        var isOfNoUseToOthers = false
    }

    func take(_ event: TransportEvent, at now: Date) -> Step {
        switch event.kind {
        case .response(let http):
            if http.statusCode == 304, let stored {
                let updated = stored.updated(by: http, to: asked, requestTime, now)
                valid = stored.isConfirmed(by: http) ? updated : stored
                let isKept = stored.isConfirmed(by: http) && updated.isStorable
                change = isKept ? .store(updated.stored(for: asked)) : .remove
                return Step(events: [], isOfNoUseToOthers: !isKept || !asked.accepts(updated, at: now))
            }
            if [500, 502, 503, 504].contains(http.statusCode), let stale = stale(at: now) {
                valid = stale
                return Step(events: [], isOfNoUseToOthers: true)
            }
            isAnswered = true
            let new = StoredResponse(http, to: asked, requestTime, now)
            let isStored = new.isStorable && new.expectedSize <= reservation.maximumBodySize
            if isStored {
                response = new
                body.reserveCapacity(new.expectedSize)
            } else if !asked.keepsStored(after: http.statusCode) {
                // A new response replaces the stored one, unless it says nothing about it.
                change = .remove
            }
            return Step(events: [event], isOfNoUseToOthers: !isStored || !asked.accepts(new, at: now))
        case .data(let data):
            if valid != nil { return Step(events: []) }
            let size = body.count + data.count
            guard response != nil, size <= reservation.maximumBodySize, reservation.resize(to: size) else {
                if response != nil {
                    (response, body, change) = (nil, Data(), .remove)
                    reservation.resize(to: 0)
                }
                return Step(events: [event], isOfNoUseToOthers: true)
            }
            body.append(data)
        case .measured(let measured):
            if valid == nil { break }
            timings = measured
            return Step(events: [])
        case .finished(let error):
            defer {
                (response, body) = (nil, Data())
                reservation.resize(to: 0)
            }
            if let error {
                let isCancelled = (error as? URLError)?.code == .cancelled
                guard !isAnswered, !isCancelled, let stale = stale(at: now) else { break }
                (valid, change) = (stale, nil)
            }
            if let valid { return Step(events: valid.events(for: asked.method, at: now, timings), change: change) }
            if let response {
                let whole = StoredResponse(response.http, to: asked, requestTime, response.responseTime, body: body)
                change = whole.isComplete ? .store(whole.stored(for: asked)) : .remove
            }
            return Step(events: [event], change: change)
        case .sent, .queued, .scheduled: break
        }
        return Step(events: [event])
    }

    /// The stored response, if it can be used after a failure.
    private func stale(at now: Date) -> StoredResponse? {
        stored.flatMap { asked.accepts($0, at: now, onError: true) ? $0 : nil }
    }
}
