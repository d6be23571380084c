package import Teapot

/// Refreshes credentials as a test wants it: counts, waits for the test, and gives out `Bearer 1`, `Bearer 2` and so on.
package final class TokenIssuer: Sendable {
    private struct State {
        var stale: [Credential?] = []
        var error: (any Error)?
    }

    private let state = Locked(State())
    private let gate: Signal?

    /// Fired when the first refresh has begun.
    package let begun = Signal()

    /// - Parameter isHeld: Whether refreshes wait for ``release()``.
    package init(isHeld: Bool = false) {
        gate = isHeld ? Signal() : nil
    }

    /// Lets refreshes go on, now and later.
    package func release() { gate?.fire() }

    /// The error with which refreshes fail; `nil` if they succeed.
    package var error: (any Error)? {
        get { state.withLock { $0.error } }
        set { state.withLock { $0.error = newValue } }
    }

    /// The stale credential of each refresh.
    package var refreshes: [Credential?] { state.withLock { $0.stale } }

    /// An authenticator whose refreshes may take as long as a busy machine lets them.
    package func authenticator(_ credential: Credential? = nil) -> Authenticator {
        var authenticator = Authenticator(credential) { try await self.refresh($0.stale) }
        authenticator.refreshTimeout = nil
        return authenticator
    }

    package func refresh(_ stale: Credential?) async throws -> Credential {
        let number = state.withLock { state in
            state.stale.append(stale)
            return state.stale.count
        }
        begun.fire()
        await gate?.wait()
        if let error { throw error }
        return .bearer("\(number)")
    }
}
