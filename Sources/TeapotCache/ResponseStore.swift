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
        /// By URL, and by the fields that separate users; the latest of each first.
        var entries: [String: [[FieldName: String]: [Entry]]] = [:]
        /// In bytes.
        var size = 0
        /// The number of bytes of bodies that are arriving.
        var arriving = 0
        var uses = 0
        var invalidations = 0
        /// The number of invalidations of all URLs.
        var clearances = 0
        /// Of each URL and user with requests under way: their number, the number of invalidations up to the last one of the URL, and
        /// the latest request that showed that an older response is not to be stored.
        var underWay: [Place: (requests: Int, invalidations: Int, removal: Int)] = [:]
    }

    /// Where the responses to a request are stored.
    private struct Place: Hashable {
        let url: String
        let secrets: [FieldName: String]

        init(_ asked: CacheableRequest) {
            url = asked.key
            secrets = asked.secrets
        }
    }

    private let maximumSize: Int
    private let state = Locked(State())

    init(maximumSize: Int) { self.maximumSize = maximumSize }

    /// The latest response that can answer a request.
    func response(for asked: CacheableRequest) -> StoredResponse? {
        state.withLock { state in
            let entries = state.entries[asked.key]?[asked.secrets] ?? []
            guard let index = entries.firstIndex(where: { $0.response.matches(asked) }) else { return nil }
            state.uses += 1
            state.entries[asked.key]?[asked.secrets]?[index].lastUse = state.uses
            return entries[index].response
        }
    }

    /// A request to be sent, whose response is to be stored. Its memory is free again with the last reference.
    final class Reservation: Sendable {
        let asked: CacheableRequest
        fileprivate let number: Int
        /// The number of invalidations before it.
        let invalidations: Int
        let clearances: Int
        private let store: ResponseStore
        /// Its lock is held while the store's is taken, never the other way round.
        private let size = Locked(0)

        init(_ asked: CacheableRequest, in store: ResponseStore) {
            self.asked = asked
            self.store = store
            (number, invalidations, clearances) = store.state.withLock { state in
                state.uses += 1
                var current = state.underWay[Place(asked)] ?? (0, state.invalidations, 0)
                current.requests += 1
                state.underWay[Place(asked)] = current
                return (state.uses, current.invalidations, state.clearances)
            }
        }

        deinit {
            resize(to: 0)
            store.state.withLock { state in
                state.underWay[Place(asked)]?.requests -= 1
                if state.underWay[Place(asked)]?.requests == 0 { state.underWay[Place(asked)] = nil }
            }
        }

        /// Whether nothing of its URL was invalidated meanwhile.
        var isCurrent: Bool { store.state.withLock { $0.underWay[Place(asked)]?.invalidations == invalidations } }

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

    /// Bodies that are arriving displace stored responses, and take at most half of the memory.
    private func reserve(_ count: Int) -> Bool {
        state.withLock { state in
            guard count <= 0 || state.arriving + count <= maximumSize / 2 else { return false }
            state.arriving += count
            makeRoom(&state)
            return true
        }
    }

    /// Obeys the response to a request. That to the later request is newer, whenever it arrived.
    func apply(_ change: CachedExchange.Change, _ reservation: Reservation) {
        let (asked, number) = (reservation.asked, reservation.number)
        state.withLock { state in
            guard let current = state.underWay[Place(asked)], current.invalidations == reservation.invalidations else {
                return
            }
            var entries = state.entries[asked.key]?[asked.secrets] ?? []
            let same = entries.filter { entry in
                guard entry.response.matches(asked) else { return false }
                switch change {
                case .replace(let response): return entry.response.method == response?.method ?? asked.method
                case .removeOutdated(let head): return entry.response.isOutdated(by: head)
                }
            }
            entries.removeAll { entry in entry.request <= number && same.contains { $0.request == entry.request } }
            if case .replace(let response?) = change {
                if current.removal <= number, same.allSatisfy({ $0.request <= number }) {
                    state.uses += 1
                    let size = response.size + asked.key.utf8.count
                    entries.insert(Entry(response: response, size: size, request: number, lastUse: state.uses), at: 0)
                }
            } else {
                state.underWay[Place(asked)]?.removal = max(current.removal, number)
            }
            // For one user: others have their own.
            keep(Array(entries.prefix(16)), of: asked.key, asked.secrets, &state)
            makeRoom(&state)
        }
    }

    /// Removes all responses of some URLs, or of all. Those to requests that are under way are not stored.
    func invalidate(_ keys: [String]?) {
        state.withLock { state in
            state.invalidations += 1
            if keys == nil { state.clearances += 1 }
            for key in keys ?? Array(state.entries.keys) {
                state.size -= state.entries.removeValue(forKey: key)?.values.joined().reduce(0) { $0 + $1.size } ?? 0
            }
            for place in state.underWay.keys where keys?.contains(place.url) != false {
                state.underWay[place]?.invalidations = state.invalidations
            }
        }
    }

    /// Removes the least recently used, and some more, so that not every response has to look for room.
    private func makeRoom(_ state: inout State) {
        guard state.size + state.arriving > maximumSize else { return }
        let uses = state.entries.flatMap { key, users in
            users.flatMap { secrets, entries in entries.map { ($0.lastUse, key, secrets) } }
        }
        for (use, key, secrets) in uses.sorted(by: { $0.0 < $1.0 }) {
            guard state.size + state.arriving > maximumSize - maximumSize / 8 else { break }
            keep(state.entries[key]?[secrets]?.filter { $0.lastUse != use } ?? [], of: key, secrets, &state)
        }
    }

    /// Replaces the responses of a URL for one user.
    private func keep(_ entries: [Entry], of key: String, _ secrets: [FieldName: String], _ state: inout State) {
        let old = state.entries[key]?[secrets] ?? []
        state.size += entries.reduce(0) { $0 + $1.size } - old.reduce(0) { $0 + $1.size }
        state.entries[key, default: [:]][secrets] = entries.isEmpty ? nil : entries
        if state.entries[key]?.isEmpty == true { state.entries[key] = nil }
    }
}
