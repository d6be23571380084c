internal import Teapot

/// An exchange whose response is to be stored, or says that a stored one still holds.
struct CachedExchange: Sendable {
    /// What becomes of the stored response.
    enum Change {
        case store(StoredResponse)
        case remove
    }

    private let asked: CacheableRequest
    /// What the request asks about.
    private let stored: StoredResponse?
    private let requestTime: Date
    private let maximumBodySize: Int
    /// What is coming.
    private var response: StoredResponse?
    /// What has turned out to hold, and what the transport has measured of that.
    private var valid: StoredResponse?
    private var timings = Teapot.Timings()
    private var change: Change?

    init(_ asked: CacheableRequest, _ stored: StoredResponse?, at now: Date, maximumBodySize: Int) {
        (self.asked, self.stored, requestTime, self.maximumBodySize) = (asked, stored, now, maximumBodySize)
    }

    /// - Returns: The events to pass on.
    mutating func take(_ event: TransportEvent, at now: Date) -> (events: [TransportEvent], change: Change?) {
        switch event {
        case .response(let http):
            if http.statusCode == 304, let stored {
                let updated = stored.updated(by: http, to: asked, requestTime, now)
                valid = stored.isMeant(by: http) ? updated : stored
                change = stored.isMeant(by: http) && updated.isStorable ? .store(updated) : .remove
                return ([], nil)
            }
            let new = StoredResponse(http, to: asked, requestTime, now)
            response = new.isStorable ? new : nil
            // What the server says now counts, but an outage does not end what was known.
            if !new.isStorable, http.statusCode < 500 { change = .remove }
        case .data(let data):
            if valid != nil { return ([], nil) }
            guard let size = response?.body.count, size + data.count <= maximumBodySize else {
                if response != nil { (response, change) = (nil, .remove) }
                break
            }
            response?.body.append(data)
        case .measured(let measured):
            if valid == nil { break }
            timings = measured
            return ([], nil)
        case .finished(nil):
            if let valid { return (valid.events(for: asked.method, at: now, timings), change) }
            return ([event], response.map { .store($0) } ?? change)
        case .sent, .finished: break
        }
        return ([event], nil)
    }
}
