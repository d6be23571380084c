internal import Teapot

/// The responses of a cache, in memory.
final class ResponseStore: Sendable {
    private struct State {
        /// By their keys, the latest of each first.
        var responses: [String: [StoredResponse]] = [:]
        var size = 0
        var uses = 0
        /// How often anything was invalidated.
        var invalidations = 0
    }

    private let maximumSize: Int
    private let state = Locked(State())

    init(maximumSize: Int) { self.maximumSize = maximumSize }

    /// How large a body may be, so that one response does not take the place of all others.
    var maximumBodySize: Int { maximumSize / 8 }

    /// How often anything was invalidated: what was asked for before is not stored afterwards.
    var invalidations: Int { state.withLock { $0.invalidations } }

    /// The latest response that may answer a request.
    func response(for asked: CacheableRequest) -> StoredResponse? {
        state.withLock { state in
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
            remove(from: &state, asked.key) { $0.method == method && $0.matches(asked) }
            guard var response else { return }
            state.uses += 1
            response.lastUse = state.uses
            state.responses[asked.key, default: []].insert(response, at: 0)
            state.size += response.size + asked.key.utf8.count
            while state.size > maximumSize, let (key, use) = leastRecentlyUsed(of: state) {
                remove(from: &state, key) { $0.lastUse == use }
            }
        }
    }

    /// Removes all responses of some URLs, or of all.
    func invalidate(_ keys: [String]?) {
        state.withLock { state in
            state.invalidations += 1
            for key in keys ?? Array(state.responses.keys) { remove(from: &state, key) { _ in true } }
        }
    }

    private func leastRecentlyUsed(of state: State) -> (key: String, use: Int)? {
        state.responses.lazy.compactMap { key, responses in responses.map(\.lastUse).min().map { (key, $0) } }
            .min { $0.1 < $1.1 }
    }

    private func remove(from state: inout State, _ key: String, where isRemoved: (StoredResponse) -> Bool) {
        let removed = state.responses[key]?.filter(isRemoved) ?? []
        guard !removed.isEmpty else { return }
        state.size -= removed.reduce(0) { $0 + $1.size + key.utf8.count }
        state.responses[key]?.removeAll(where: isRemoved)
        if state.responses[key]?.isEmpty == true { state.responses[key] = nil }
    }
}
