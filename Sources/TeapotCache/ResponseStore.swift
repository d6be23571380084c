import Teapot

/// The responses of a cache, in memory.
final class ResponseStore: Sendable {
    private struct State {
        /// By their keys, the latest of each first.
        var responses: [String: [StoredResponse]] = [:]
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
            // Only complete ones were stored: these have been damaged.
            remove(from: &state, asked.key) { !$0.isComplete }
            guard let index = state.responses[asked.key]?.firstIndex(where: { $0.matches(asked) }) else { return nil }
            state.uses += 1
            state.responses[asked.key]?[index].lastUse = state.uses
            return state.responses[asked.key]?[index]
        }
    }

    /// Stores a response in place of those that answer the same request, or only removes these.
    func replace(with response: StoredResponse?, for asked: CacheableRequest, asOf invalidations: Int) {
        let method = response?.method ?? asked.method
        state.withLock { state in
            guard state.invalidations == invalidations else { return }
            // The response to the later request is newer, whenever it arrived.
            let present = state.responses[asked.key]?.first { $0.method == method && $0.matches(asked) }
            if let present, let response, present.requestTime > response.requestTime { return }
            remove(from: &state, asked.key) { $0.method == method && $0.matches(asked) }
            guard var response else { return }
            state.uses += 1
            response.lastUse = state.uses
            state.responses[asked.key, default: []].insert(response, at: 0)
            state.size += response.size + asked.key.utf8.count
            if state.responses[asked.key, default: []].count > Self.maximumVariants,
                let last = state.responses[asked.key]?.last
            {
                remove(from: &state, asked.key) { $0.lastUse == last.lastUse }
            }
            makeRoom(&state)
        }
    }

    /// Removes all responses of some URLs, or of all.
    func invalidate(_ keys: [String]?) {
        state.withLock { state in
            state.invalidations += 1
            for key in keys ?? Array(state.responses.keys) { remove(from: &state, key) { _ in true } }
        }
    }

    /// The maximum number of stored responses of one URL.
    private static let maximumVariants = 16

    /// Removes the least recently used, and some more, so that not every response has to look for room.
    private func makeRoom(_ state: inout State) {
        guard state.size > maximumSize else { return }
        let uses = state.responses.flatMap { key, responses in responses.map { ($0.lastUse, key) } }.sorted {
            $0.0 < $1.0
        }
        for (use, key) in uses where state.size > maximumSize - maximumSize / 8 {
            remove(from: &state, key) { $0.lastUse == use }
        }
    }

    private func remove(from state: inout State, _ key: String, where isRemoved: (StoredResponse) -> Bool) {
        let removed = state.responses[key]?.filter(isRemoved) ?? []
        guard !removed.isEmpty else { return }
        state.size -= removed.reduce(0) { $0 + $1.size + key.utf8.count }
        state.responses[key]?.removeAll(where: isRemoved)
        if state.responses[key]?.isEmpty == true { state.responses[key] = nil }
    }
}
