import Teapot

/// The responses of a cache, in memory.
final class ResponseStore: Sendable {
    private struct Entry {
        let response: StoredResponse
        let size: Int
        /// The number of its request: the latest is the newest, whatever the clock says.
        let request: Int
        /// The number of its last use.
        var lastUse: Int
    }

    private struct State {
        /// By their keys, the latest of each first.
        var entries: [String: [Entry]] = [:]
        /// In bytes.
        var size = 0
        /// The number of bytes of bodies that are arriving.
        var arriving = 0
        var uses = 0
        /// The number of invalidations, and of those before the last one of each URL that has requests under way.
        var invalidations = 0
        var underWay: [String: (requests: Int, invalidations: Int)] = [:]
    }

    private let maximumSize: Int
    private let state = Locked(State())

    init(maximumSize: Int) { self.maximumSize = maximumSize }

    /// The latest response that can answer a request.
    func response(for asked: CacheableRequest) -> StoredResponse? {
        state.withLock { state in
            let index = state.entries[asked.key]?.firstIndex { $0.response.matches(asked) }
            guard let index else { return nil }
            state.uses += 1
            state.entries[asked.key]?[index].lastUse = state.uses
            return state.entries[asked.key]?[index].response
        }
    }

    // MARK: - Requests under way

    /// A request to be sent, whose response is to be stored. Its memory is free again with the last reference.
    final class Reservation: Sendable {
        let asked: CacheableRequest
        /// The number of invalidations before it.
        let invalidations: Int
        fileprivate let number: Int
        private let store: ResponseStore
        private let size = Locked(0)

        fileprivate init(_ asked: CacheableRequest, _ number: Int, invalidations: Int, _ store: ResponseStore) {
            (self.asked, self.number, self.invalidations, self.store) = (asked, number, invalidations, store)
        }

        deinit {
            resize(to: 0)
            store.state.withLock { state in
                state.underWay[asked.key]?.requests -= 1
                if state.underWay[asked.key]?.requests == 0 { state.underWay[asked.key] = nil }
            }
        }

        /// Whether a body of so many bytes can be stored: one response must not displace all others.
        func allows(_ size: Int) -> Bool { size <= store.maximumSize / 8 }

        /// Reserves memory for the body, in bytes, in place of what is reserved.
        ///
        /// - Returns: `false` if there is none. Then nothing has changed.
        @discardableResult func resize(to size: Int) -> Bool {
            self.size.withLock { old in
                guard allows(size), store.reserve(size - old) else { return false }
                old = size
                return true
            }
        }
    }

    func reservation(for asked: CacheableRequest) -> Reservation {
        let (number, invalidations) = state.withLock { state in
            state.uses += 1
            let others = state.underWay[asked.key] ?? (0, state.invalidations)
            state.underWay[asked.key] = (others.requests + 1, others.invalidations)
            return (state.uses, others.invalidations)
        }
        return Reservation(asked, number, invalidations: invalidations, self)
    }

    /// Bodies that are arriving displace stored responses, but not more than half of them.
    private func reserve(_ count: Int) -> Bool {
        state.withLock { state in
            guard count <= 0 || state.arriving + count <= maximumSize / 2 else { return false }
            state.arriving += count
            makeRoom(&state)
            return true
        }
    }

    // MARK: - Changes

    /// Stores a response in place of those that answer the same request, or only removes these.
    func replace(with response: StoredResponse?, _ reservation: Reservation) {
        let asked = reservation.asked
        let method = response?.method ?? asked.method
        state.withLock { state in
            guard state.underWay[asked.key]?.invalidations == reservation.invalidations else { return }
            var entries = state.entries[asked.key] ?? []
            let isSame = { (entry: Entry) in entry.response.method == method && entry.response.matches(asked) }
            // The response to the later request is newer, whenever it arrived.
            if let present = entries.first(where: isSame), present.request > reservation.number { return }
            entries.removeAll(where: isSame)
            if let response {
                state.uses += 1
                let size = response.size + asked.key.utf8.count
                let entry = Entry(response: response, size: size, request: reservation.number, lastUse: state.uses)
                entries.insert(entry, at: 0)
            }
            keep(Array(entries.prefix(Self.maximumVariants)), of: asked.key, &state)
            makeRoom(&state)
        }
    }

    /// Removes the responses that the response to a later `HEAD` shows to be out of date (section 4.3.5).
    func remove(outdatedBy head: HTTPURLResponse, _ reservation: Reservation) {
        state.withLock { state in
            let left = state.entries[reservation.asked.key]?.filter {
                !$0.response.matches(reservation.asked) || $0.request > reservation.number
                    || !$0.response.isOutdated(by: head)
            }
            keep(left ?? [], of: reservation.asked.key, &state)
        }
    }

    /// Removes all responses of some URLs, or of all. Those to requests that are under way are not stored.
    func invalidate(_ keys: [String]?) {
        state.withLock { state in
            state.invalidations += 1
            for key in keys ?? Array(state.entries.keys) { keep([], of: key, &state) }
            for key in keys ?? Array(state.underWay.keys) { state.underWay[key]?.invalidations = state.invalidations }
        }
    }

    /// The maximum number of stored responses of one URL.
    private static let maximumVariants = 16

    /// Removes the least recently used, and some more, so that not every response has to look for room.
    private func makeRoom(_ state: inout State) {
        guard state.size + state.arriving > maximumSize else { return }
        let uses = state.entries.flatMap { key, entries in entries.map { ($0.lastUse, key) } }.sorted { $0.0 < $1.0 }
        for (use, key) in uses where state.size + state.arriving > maximumSize - maximumSize / 8 {
            keep(state.entries[key]?.filter { $0.lastUse != use } ?? [], of: key, &state)
        }
    }

    /// Replaces the responses of a key.
    private func keep(_ entries: [Entry], of key: String, _ state: inout State) {
        let old = state.entries.updateValue(entries, forKey: key) ?? []
        state.size += entries.reduce(0) { $0 + $1.size } - old.reduce(0) { $0 + $1.size }
        if entries.isEmpty { state.entries[key] = nil }
    }
}
