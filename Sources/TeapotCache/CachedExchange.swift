import Teapot

/// An exchange whose response is to be stored, or confirms a stored one. It is used under the lock of its owner.
final class CachedExchange {
    enum Change {
        /// A response in place of the stored one, or its removal.
        case replace(StoredResponse?)
        /// The removal of the responses that the response to a `HEAD` shows to be out of date.
        case removeOutdated(ResponseHead)
    }

    let reservation: ResponseStore.Reservation
    /// The stored response to be confirmed.
    private(set) var stored: StoredResponse?
    private let requestTime: Moment
    private var asked: CacheableRequest { reservation.asked }
    /// The response that is arriving, and its body so far, for which memory is reserved.
    private var response: StoredResponse?
    private var body = Data()
    /// Whether the caller has got a response.
    private var isAnswered = false
    /// The stored response to be used, and the transport's measurements.
    private var valid: StoredResponse?
    private var timings = Teapot.Timings()
    private var change: Change?

    init(_ reservation: ResponseStore.Reservation, _ stored: StoredResponse?, at now: Moment) {
        self.reservation = reservation
        self.stored = stored
        requestTime = now
    }

    deinit { forget() }

    /// The events to pass on, the change of the store, and whether the response will not answer equal requests.
    struct Step {
        let events: [TransportEvent]
        var change: Change?
        var isOfNoUseToOthers = false
    }

    func take(_ event: TransportEvent, at now: Moment) -> Step {
        switch event.kind {
        case .response(let head):
            if head.status == 304, let stored {
                let updated = stored.updated(by: head, to: asked, requestTime, now)
                valid = stored.isConfirmed(by: head) ? updated : stored
                let isKept = stored.isConfirmed(by: head) && updated.isStorable
                let kept = isKept ? updated.stored(with: updated.body, to: asked, requestTime) : nil
                change = kept.map { .replace($0) } ?? .removeOutdated(head)
                let isUseful = isKept && reservation.isCurrent && asked.accepts(updated, at: now)
                return Step(events: [], isOfNoUseToOthers: !isUseful)
            }
            if [500, 502, 503, 504].contains(head.status), let stale = stale(at: now) {
                valid = stale
                return Step(events: [], isOfNoUseToOthers: true)
            }
            isAnswered = true
            let new = StoredResponse(head, to: asked, requestTime, now)
            let keepsStored = asked.keepsStored(after: head.status)
            if new.isStorable, new.isEndCertain, asked.method == "HEAD" || reservation.allows(new.length ?? 0) {
                response = new
            } else if !keepsStored {
                change = .replace(nil)
            }
            let removal = asked.method == "HEAD" && !keepsStored ? Change.removeOutdated(head) : nil
            let isUseful = response != nil && reservation.isCurrent && asked.accepts(new, at: now)
            return Step(events: [event], change: removal, isOfNoUseToOthers: !isUseful)
        case .data(let data):
            if valid != nil { return Step(events: []) }
            guard response != nil, reservation.allows(body.count + data.count), reservation.reserve(data.count) else {
                if response != nil { change = .replace(nil) }
                forget()
                return Step(events: [event], isOfNoUseToOthers: true)
            }
            body.append(data)
        case .measured(let measured) where valid != nil:
            timings = measured
            return Step(events: [])
        case .finished(let error):
            // The transport may keep this exchange.
            defer { forget() }
            if let error {
                let isCancelled = (error as? URLError)?.code == .cancelled
                guard !isAnswered, !isCancelled, let stale = stale(at: now) else {
                    return Step(events: [event], change: isAnswered ? change : nil)
                }
                valid = stale
                change = nil
            }
            if let valid { return Step(events: valid.events(for: asked.method, at: now, timings), change: change) }
            if let response {
                let isWhole = response.isComplete(with: body)
                change = .replace(isWhole ? response.stored(with: body, to: asked, requestTime) : nil)
            }
            return Step(events: [event], change: change)
        case .sent, .measured, .queued, .scheduled: break
        }
        return Step(events: [event])
    }

    /// The stored response, if it can be used after a failure, and nothing of its URL was invalidated meanwhile.
    private func stale(at now: Moment) -> StoredResponse? {
        guard let stored, asked.accepts(stored, at: now, onError: true), reservation.isCurrent else { return nil }
        return stored
    }

    private func forget() {
        if response != nil { reservation.reserve(-body.count) }
        response = nil
        body = Data()
        valid = nil
        stored = nil
    }
}
