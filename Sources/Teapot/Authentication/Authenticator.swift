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
/// is the caller's, and says nothing about the credential, which is new. No request is sent with a credential that is known to be stale: one that begins meanwhile waits, too.
///
/// - A request that has the header field already is left alone, and its 401 is final. As long as there was no credential, that
///   field is `Authorization`.
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

    fileprivate typealias Waiter = @Sendable (Result<Issued, any Error>) -> Void

    fileprivate struct State {
        /// What requests are sent with; `nil` while there is none that could be taken.
        var issued: Issued?
        /// The one before, while there is none.
        var stale: Issued?
        /// Why the refresh of the stale one failed.
        var failure: (number: Int, error: any Error)?
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
        let name = state.withLock { $0.issued ?? $0.stale }?.credential.name ?? "Authorization"
        return request.value(forHTTPHeaderField: name) == nil
    }

    func isStale(_ issued: Issued) -> Bool {
        state.withLock { $0.issued?.number != issued.number }
    }

    /// The credential to send a request with, if it is known.
    ///
    /// - Parameter rejected: One that a server did not take.
    /// - Returns: One that is not known to be stale, or why there is none instead of the rejected one; `nil` while there is
    ///   none.
    func credential(insteadOf rejected: Issued?) -> Result<Issued, any Error>? {
        state.withLock { state in
            if let rejected { state.reject(rejected) }
            return state.known(insteadOf: rejected)
        }
    }

    /// Gives out a credential as soon as there is one, after a refresh if need be.
    ///
    /// - Parameters:
    ///   - rejected: One that a server did not take.
    ///   - receive: Takes the credential or why there is none, once, on any thread, also before this method returns.
    /// - Returns: What withdraws the question.
    func awaitCredential(
        insteadOf rejected: Issued?,
        _ receive: @escaping @Sendable (Result<Issued, any Error>) -> Void
    ) -> @Sendable () -> Void {
        enum Answer {
            case known(Result<Issued, any Error>)
            case wait(Int, isFirst: Bool, stale: Credential?)
        }
        let answer: Answer = state.withLock { state in
            if let known = state.known(insteadOf: rejected) { return .known(known) }
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = receive
            defer { state.isRefreshing = true }
            return .wait(state.lastWaiter, isFirst: !state.isRefreshing, stale: state.stale?.credential)
        }
        switch answer {
        case .known(let result):
            receive(result)
            return {}
        case .wait(let waiter, let isFirst, let stale):
            if isFirst { Task.detached { await self.refreshAll(insteadOf: stale) } }
            // What it holds goes after the lock is released.
            return { _ = self.state.withLock { $0.waiters.removeValue(forKey: waiter) } }
        }
    }

    private func refreshAll(insteadOf stale: Credential?) async {
        let result: Result<Credential, any Error>
        do {
            result = .success(try await Self.$refreshing.withValue(self) { try await refresh(stale) })
        } catch {
            result = .failure(error)
        }
        let (issued, waiters) = state.withLock { $0.endRefresh(result) }
        for waiter in waiters { waiter(issued) }
    }
}

extension Authenticator.State {
    fileprivate mutating func reject(_ rejected: Authenticator.Issued) {
        guard issued?.number == rejected.number else { return }
        (stale, issued, failure) = (issued, nil, nil)
    }

    /// - Returns: The credential, or why there is none instead of the rejected one; `nil` while that is open.
    fileprivate func known(insteadOf rejected: Authenticator.Issued?) -> Result<Authenticator.Issued, any Error>? {
        if let issued { return .success(issued) }
        // Of those who sent the same, the first have this error already.
        guard let failure, failure.number == rejected?.number, !isRefreshing else { return nil }
        return .failure(failure.error)
    }

    /// - Returns: What there is now, and who waits for it, in the order they came.
    fileprivate mutating func endRefresh(
        _ result: Result<Credential, any Error>
    ) -> (Result<Authenticator.Issued, any Error>, [Authenticator.Waiter]) {
        isRefreshing = false
        defer { waiters = [:] }
        let issued = result.map { credential in
            lastNumber += 1
            return Authenticator.Issued(credential: credential, number: lastNumber)
        }
        switch issued {
        case .success(let issued): self.issued = issued
        case .failure(let error): failure = stale.map { ($0.number, error) }
        }
        return (issued, waiters.sorted { $0.key < $1.key }.map(\.value))
    }
}
