/// Gives requests a credential, and a new one when a server does not take it any more: see ``Teapot/Teapot/authenticator``.
///
/// ```swift
/// teapot.authenticator = Authenticator(.bearer(accessToken)) { _ in
///     let token = try await login.post("token", body: refreshToken, as: Token.self)
///     return .bearer(token.access)
/// }
/// ```
///
/// When a request that carries the credential is answered with 401 (RFC 9110, section 15.5.2), the credential is stale. It is
/// refreshed once, however many requests wait for that, and each of them is sent again, once, whatever its method. A second 401
/// is the caller's. No request is sent with a credential that is known to be stale: one that begins meanwhile waits, too.
///
/// - A request that has the header field already is left alone, and its 401 is final.
/// - A refresh that fails fails all that wait, with its error if that is a ``TeapotError``, otherwise as the cause of
///   `preparationFailed`. The next request tries again.
/// - A call that is cancelled while it waits, or whose timeout is over, ends alone. The refresh goes on.
/// - Requests that the refresh itself sends in its own task through the same `Teapot` go without a credential.
///
/// One authenticator may serve several Teapots. It may be used from any thread.
public final class Authenticator: Sendable {
    /// A credential, and which one it is: a server may give out the same twice.
    struct Issued: Sendable {
        let credential: Credential
        fileprivate let number: Int
    }

    fileprivate typealias Waiter = @Sendable (Result<Issued, TeapotError>) -> Void

    fileprivate struct State {
        /// What requests are sent with; `nil` while there is none that could be taken.
        var issued: Issued?
        /// The one before, while there is none.
        var stale: Credential?
        var lastNumber = 0
        var isRefreshing = false
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    /// The authenticator for whose refresh the current task is at work.
    @TaskLocal private static var refreshing: Authenticator?

    private let refresh: @Sendable (Credential?) async throws -> Credential
    private let state: Locked<State>

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - credential: What requests are sent with at first; `nil` to get one by `refresh` before the first is sent.
    ///   - refresh: Gets a credential, in a task of its own that nobody cancels. It takes the stale one, if there is one.
    public init(
        _ credential: Credential? = nil,
        refresh: @escaping @Sendable (_ stale: Credential?) async throws -> Credential
    ) {
        self.refresh = refresh
        state = Locked(State(issued: credential.map { Issued(credential: $0, number: 0) }))
    }

    /// Whether the current task is at work for the refresh that is under way. One that an earlier refresh has left behind need
    /// not go without a credential.
    var isRefreshedByCurrentTask: Bool { Self.refreshing === self && state.withLock { $0.isRefreshing } }

    /// Whether a request is to be given a credential: not if it has the header field already.
    func isResponsible(for request: URLRequest) -> Bool {
        let name = state.withLock { $0.issued?.credential ?? $0.stale }?.name ?? "Authorization"
        return request.value(forHTTPHeaderField: name) == nil
    }

    func isStale(_ issued: Issued) -> Bool {
        state.withLock { $0.issued?.number != issued.number }
    }

    /// Notes that a server does not take a credential.
    func reject(_ issued: Issued) {
        state.withLock { $0.reject(issued) }
    }

    /// The credential to send a request with.
    ///
    /// - Parameter rejected: One that a server did not take.
    /// - Returns: One that is not known to be stale; `nil` while there is none.
    func credential(insteadOf rejected: Issued?) -> Issued? {
        state.withLock { state in
            if let rejected { state.reject(rejected) }
            return state.issued
        }
    }

    /// Gives out a credential as soon as there is one, after a refresh if need be.
    ///
    /// - Parameter receive: Takes the credential or why there is none, once, on any thread, also before this method returns.
    /// - Returns: What withdraws the question.
    func awaitCredential(_ receive: @escaping @Sendable (Result<Issued, TeapotError>) -> Void) -> @Sendable () -> Void {
        let (issued, waiter, isFirst, stale) = state.withLock { state in
            if state.issued == nil { state.add(receive) }
            defer { state.isRefreshing = state.issued == nil }
            return (state.issued, state.lastWaiter, !state.isRefreshing, state.stale)
        }
        if let issued {
            receive(.success(issued))
            return {}
        }
        if isFirst { Task.detached { await self.refreshAll(insteadOf: stale) } }
        // What it holds goes after the lock is released.
        return { _ = self.state.withLock { $0.waiters.removeValue(forKey: waiter) } }
    }

    private func refreshAll(insteadOf stale: Credential?) async {
        let result: Result<Credential, TeapotError>
        do {
            result = .success(try await Self.$refreshing.withValue(self) { try await refresh(stale) })
        } catch {
            result = .failure(error as? TeapotError ?? .preparationFailed(error))
        }
        let (issued, waiters) = state.withLock { $0.endRefresh(result) }
        for waiter in waiters { waiter(issued) }
    }
}

extension Authenticator.State {
    fileprivate mutating func reject(_ rejected: Authenticator.Issued) {
        guard issued?.number == rejected.number else { return }
        (stale, issued) = (issued?.credential, nil)
    }

    fileprivate mutating func add(_ waiter: @escaping Authenticator.Waiter) {
        lastWaiter += 1
        waiters[lastWaiter] = waiter
    }

    /// - Returns: What there is now, and who waits for it, in the order they came.
    fileprivate mutating func endRefresh(
        _ result: Result<Credential, TeapotError>
    ) -> (Result<Authenticator.Issued, TeapotError>, [Authenticator.Waiter]) {
        isRefreshing = false
        defer { waiters = [:] }
        let issued = result.map { credential in
            lastNumber += 1
            return Authenticator.Issued(credential: credential, number: lastNumber)
        }
        if case .success(let issued) = issued { self.issued = issued }
        return (issued, waiters.sorted { $0.key < $1.key }.map(\.value))
    }
}
