import Teapot

/// The requests that the store cannot answer, each with the equal ones that wait for its response.
final class InFlightRequests: Sendable {
    private let leaders = Locked<[[String]: Leader]>([:])

    /// Lets a request wait for an equal one that is under way, or else lead the equal ones to come.
    func join(_ key: [String], _ request: @autoclosure () -> WaitingRequest) -> (Leader, WaitingRequest?) {
        let (leader, request, _) = leaders.withLock { leaders in
            // The last leader is released outside of the lock, as that may cancel its exchange.
            let last = leaders[key]
            if let last, let request = last.add(request()) { return (last, Optional(request), last) }
            let leader = Leader(key)
            leaders[key] = leader
            return (leader, nil, last ?? leader)
        }
        return (leader, request)
    }

    /// - Returns: A leader without a caller; `nil` if an equal request is under way.
    func lead(_ key: [String]) -> Leader? {
        leaders.withLock { leaders in
            guard leaders[key] == nil else { return nil }
            let leader = Leader(key)
            leaders[key] = leader
            return leader
        }
    }

    /// The exchange of a leader is over. Another leader may have its key by now, if nobody could wait for the first any more.
    func remove(_ leader: Leader) { leaders.withLock { if $0[leader.key] === leader { $0[leader.key] = nil } } }
}
