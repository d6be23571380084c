import Teapot

/// The responses of a cache, in memory.
final class ResponseStore: Sendable {
    private struct Entry {
        let response: StoredResponse
        let size: Int
        /// The number of its last use.
        var lastUse: Int
    }

    private struct State {
        /// By their keys, the latest of each first.
        var entries: [String: [Entry]] = [:]
        var size = 0
        var uses = 0
        /// The number of invalidations.
        var invalidations = 0
    }

    private let maximumSize: Int
    private let state = Locked(State())

    init(maximumSize: Int) { self.maximumSize = maximumSize }

    /// The maximum size of a body, so that one response does not displace all others.
    var maximumBodySize: Int { maximumSize / 8 }

    /// The number of invalidations: a response requested before the last one is not stored.
    var invalidations: Int { state.withLock { $0.invalidations } }

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

    /// Stores a response in place of those that answer the same request, or only removes these.
    func replace(with response: StoredResponse?, for asked: CacheableRequest, asOf invalidations: Int) {
        let method = response?.method ?? asked.method
        state.withLock { state in
            guard state.invalidations == invalidations else { return }
            var entries = state.entries[asked.key] ?? []
            let isSame = { (entry: Entry) in entry.response.method == method && entry.response.matches(asked) }
            // The response to the later request is newer, whenever it arrived.
            let present = entries.first(where: isSame)?.response
            if let present, let response, present.requestTime > response.requestTime { return }
            entries.removeAll(where: isSame)
            if let response {
                state.uses += 1
                let size = response.size + asked.key.utf8.count
                entries.insert(Entry(response: response, size: size, lastUse: state.uses), at: 0)
            }
            keep(Array(entries.prefix(Self.maximumVariants)), of: asked.key, &state)
            makeRoom(&state)
        }
    }

    /// Removes all responses of some URLs, or of all.
    func invalidate(_ keys: [String]?) {
        state.withLock { state in
            state.invalidations += 1
            for key in keys ?? Array(state.entries.keys) { keep([], of: key, &state) }
        }
    }

    /// The maximum number of stored responses of one URL.
    private static let maximumVariants = 16

    /// Removes the least recently used, and some more, so that not every response has to look for room.
    private func makeRoom(_ state: inout State) {
        guard state.size > maximumSize else { return }
        let uses = state.entries.flatMap { key, entries in entries.map { ($0.lastUse, key) } }.sorted { $0.0 < $1.0 }
        for (use, key) in uses where state.size > maximumSize - maximumSize / 8 {
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
