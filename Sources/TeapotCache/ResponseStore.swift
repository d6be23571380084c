import Teapot

/// The responses of a cache, in memory.
final class ResponseStore: Sendable {
    private struct Entry {
        let response: StoredResponse
        let size: Int
        /// The number of its request. The response to the latest request is the newest, whatever the clock says.
        let request: Int
        var lastUse: Int
    }

    /// The responses for one URL and one user, and the state of the requests for them that are under way.
    private final class Shelf {
        let url: String
        let secrets: [String]
        /// The response to the latest request comes first.
        var entries: [Entry] = []
        /// The number of requests under way.
        var requests = 0
        /// The number of invalidations up to the last one of the URL, while requests are under way.
        var invalidations = 0
        /// The latest request under way that showed that an older response is not to be stored.
        var removal = 0

        init(_ asked: CacheableRequest) {
            url = asked.key
            secrets = asked.secrets
        }

        var size: Int { entries.reduce(0) { $0 + $1.size } }
    }

    private struct State {
        /// By URL, and by the fields that separate users.
        var shelves: [String: [[String]: Shelf]] = [:]
        /// In bytes.
        var size = 0
        /// The number of bytes of bodies that are arriving.
        var arriving = 0
        var uses = 0
        var invalidations = 0
        /// The number of invalidations of all URLs.
        var clearances = 0

        func shelf(for asked: CacheableRequest) -> Shelf? { shelves[asked.key]?[asked.secrets] }

        /// Replaces the responses of a shelf. A shelf without responses and requests is removed.
        mutating func put(_ entries: [Entry], on shelf: Shelf) {
            size -= shelf.size
            shelf.entries = entries
            size += shelf.size
            guard entries.isEmpty, shelf.requests == 0 else { return }
            shelves[shelf.url]?[shelf.secrets] = nil
            if shelves[shelf.url]?.isEmpty == true { shelves[shelf.url] = nil }
        }
    }

    private let maximumSize: Int
    private let state = Locked(State())

    init(maximumSize: Int) { self.maximumSize = maximumSize }

    /// The latest response that can answer a request.
    func response(for asked: CacheableRequest) -> StoredResponse? {
        state.withLock { state in
            guard let shelf = state.shelf(for: asked),
                let index = shelf.entries.firstIndex(where: { $0.response.matches(asked) })
            else { return nil }
            state.uses += 1
            shelf.entries[index].lastUse = state.uses
            return shelf.entries[index].response
        }
    }

    /// A request to be sent, whose response is to be stored.
    final class Reservation: Sendable {
        let asked: CacheableRequest
        fileprivate let number: Int
        /// The number of invalidations before the request.
        fileprivate let invalidations: Int
        let clearances: Int
        private let store: ResponseStore

        init(_ asked: CacheableRequest, in store: ResponseStore) {
            self.asked = asked
            self.store = store
            (number, invalidations, clearances) = store.state.withLock { state in
                state.uses += 1
                let shelf = state.shelf(for: asked) ?? Shelf(asked)
                if shelf.requests == 0 {
                    state.shelves[asked.key, default: [:]][asked.secrets] = shelf
                    shelf.invalidations = state.invalidations
                    shelf.removal = 0
                }
                shelf.requests += 1
                return (state.uses, shelf.invalidations, state.clearances)
            }
        }

        deinit {
            store.state.withLock { state in
                guard let shelf = state.shelf(for: asked) else { return }
                shelf.requests -= 1
                state.put(shelf.entries, on: shelf)
            }
        }

        /// The parts that equal requests have in common. They include the number of invalidations, since nobody waits for the response
        /// to a request before a change.
        var equalParts: [String] { [asked.method, asked.key, String(invalidations)] + asked.equalFields }

        /// Whether nothing of its URL was invalidated meanwhile.
        var isCurrent: Bool { store.state.withLock { $0.shelf(for: asked)?.invalidations == invalidations } }

        /// Whether a body of so many bytes can be stored: one response must not displace all others.
        func allows(_ size: Int) -> Bool { size <= store.maximumSize / 8 }

        /// Reserves memory for more bytes of the body; `false`, and no change, without it. Bodies that are arriving displace stored
        /// responses, and take at most half of the memory. A negative number releases memory.
        @discardableResult func reserve(_ count: Int) -> Bool {
            store.state.withLock { state in
                guard count <= 0 || state.arriving + count <= store.maximumSize / 2 else { return false }
                state.arriving += count
                store.makeRoom(&state)
                return true
            }
        }
    }

    /// Stores or removes what the response to a request says. The response to the later request is newer, whenever it arrived.
    func apply(_ change: CachedExchange.Change, _ reservation: Reservation) {
        let (asked, number) = (reservation.asked, reservation.number)
        state.withLock { state in
            guard let shelf = state.shelf(for: asked), shelf.invalidations == reservation.invalidations else { return }
            var isLatest = true
            var entries: [Entry] = []
            for entry in shelf.entries {
                let isSame =
                    switch change {
                    case .replace(let response): entry.response.method == response?.method ?? asked.method
                    case .removeOutdated(let head): entry.response.isOutdated(by: head)
                    }
                let isReplaced = isSame && entry.response.matches(asked)
                if !isReplaced || entry.request > number { entries.append(entry) }
                if isReplaced, entry.request > number { isLatest = false }
            }
            if case .replace(let response?) = change {
                if shelf.removal <= number, isLatest {
                    state.uses += 1
                    let size = response.size + asked.key.utf8.count
                    entries.insert(Entry(response: response, size: size, request: number, lastUse: state.uses), at: 0)
                }
            } else {
                shelf.removal = max(shelf.removal, number)
            }
            // The limit is for one user: others have their own shelves.
            state.put(Array(entries.prefix(16)), on: shelf)
            makeRoom(&state)
        }
    }

    /// Removes all responses of some URLs, or of all. The responses to requests that are under way are not stored.
    func invalidate(_ urls: [String]?) {
        state.withLock { state in
            state.invalidations += 1
            if urls == nil { state.clearances += 1 }
            for url in urls ?? Array(state.shelves.keys) {
                for shelf in (state.shelves[url] ?? [:]).values {
                    shelf.invalidations = state.invalidations
                    state.put([], on: shelf)
                }
            }
        }
    }

    /// Removes the least recently used responses, and some more, so that not every response has to look for room.
    private func makeRoom(_ state: inout State) {
        guard state.size + state.arriving > maximumSize else { return }
        let room = maximumSize - maximumSize / 8 - state.arriving
        let shelves = state.shelves.values.flatMap(\.values)
        let entries = shelves.flatMap(\.entries)
        // The use up to which responses have to go.
        var (last, size) = (0, 0)
        for place in Sorting.places(entries.count, { entries[$0].lastUse > entries[$1].lastUse }) {
            size += entries[place].size
            if size > room { last = max(last, entries[place].lastUse) }
        }
        for shelf in shelves { state.put(shelf.entries.filter { $0.lastUse > last }, on: shelf) }
    }
}
