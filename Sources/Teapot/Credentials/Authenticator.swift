/// Gives requests a credential, and a new one when a server does not take it any more: see ``Teapot/Teapot/authenticator``.
///
/// ```swift
/// teapot.authenticator = Authenticator(.bearer(accessToken)) { _ in
///     let token = try await login.post("token", body: grant, as: Token.self)
///     return .bearer(token.access, expires: Date(timeIntervalSinceNow: token.expiresIn))
/// }
/// ```
///
/// When a request that carries the credential is answered with 401 (RFC 9110, section 15.5.2), the credential is stale. It is
/// refreshed once, however many requests wait for that, and each of them is sent again, once, whatever its method. A second 401
/// is the caller's, and says nothing about the credential, which is new. No request is sent with a credential that is known to be
/// stale: one that begins meanwhile waits, too.
///
/// - A credential that says when it expires is refreshed before it is sent, from 30 seconds before that time on, so that it costs
///   no 401. If it lives for less than a minute, it is refreshed after half of that time. One that is new and past its time is
///   sent all the same, as the clocks may differ.
/// - A request that has the header field already is left alone, and its 401 is final. As long as there was no credential, that
///   field is `Authorization`.
/// - A refresh that fails fails all that wait, with its error if that is a ``TeapotError``, otherwise as the cause of
///   `preparationFailed`. The next request tries again.
/// - A call that is cancelled while it waits, or whose timeout is over, ends alone. The refresh goes on.
/// - A refresh that takes longer than its timeout is given up and its task is cancelled. All that wait fail with
///   `preparationFailed`, and the next request tries again. A credential that comes later all the same is taken, unless there
///   is one by then of a refresh that began later; an error that comes later is not looked at.
/// - Requests that the refresh itself sends in its own task through the same `Teapot` go without a credential.
///
/// One authenticator may serve several Teapots. It may be used from any thread.
public final class Authenticator: Sendable {
    /// A credential, and which one it is: a server may give out the same twice.
    struct Issued: Sendable {
        let credential: Credential
        /// That of the refresh; 0 for the first credential, which none has given.
        fileprivate let number: Int
        /// When it is to be replaced; `nil` if only a 401 tells.
        fileprivate var due: Date?

        fileprivate init(_ credential: Credential, number: Int, at now: Date) {
            (self.credential, self.number) = (credential, number)
            let lifetime = credential.expires.map { $0.timeIntervalSince(now) } ?? 0
            // A new one that seems to have expired would be replaced for ever.
            due = lifetime > 0 || number == 0 ? credential.expires.map { $0 - min(30, max(lifetime, 0) / 2) } : nil
        }

        fileprivate func isDue(at now: Date) -> Bool { due.map { $0 <= now } ?? false }
    }

    fileprivate typealias Waiter = @Sendable (Result<Issued, any Error>) -> Void

    fileprivate struct State {
        /// What requests are sent with; `nil` while there is none that could be taken.
        var issued: Issued?
        /// The one before, while there is none.
        var stale: Issued?
        /// Whether that one is only to be replaced in time, and no server has refused it.
        var isStaleEarly = false
        /// Why the refresh of the stale one failed.
        var failure: (number: Int, error: any Error)?
        var lastRefresh = 0
        /// The refresh that is waited for, with what gives it up; `nil` while there is none.
        var current: (number: Int, timer: ScheduledTimer?)?
        /// The refreshes that have not returned yet, among them those that were given up.
        var working: Set<Int> = []
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    /// The refresh for which the current task is at work.
    @TaskLocal private static var refreshing: (authenticator: Authenticator, number: Int)?

    /// The timers of the system's time fire after a day at the latest.
    private static let longestTimeout = Duration.seconds(86_400)

    private let timeout: Duration?
    private let refresh: @Sendable (Credential?) async throws -> Credential
    private let now: @Sendable () -> Date
    private let state: Locked<State>

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - credential: What requests are sent with at first; `nil` to get one by `refresh` before the first is sent.
    ///   - refreshTimeout: How long a refresh may take, a day at most, by the clock of the `Teapot` whose request began it; `nil`
    ///     for no limit. If it is zero or less, each refresh is given up at once.
    ///   - now: What the time is, for credentials that expire.
    ///   - refresh: Gets a credential, in a task of its own that is cancelled only when the timeout is over. It takes the stale
    ///     one, if there is one.
    public init(
        _ credential: Credential? = nil,
        refreshTimeout: Duration? = .seconds(30),
        now: @escaping @Sendable () -> Date = { Date() },
        refresh: @escaping @Sendable (_ stale: Credential?) async throws -> Credential
    ) {
        timeout = refreshTimeout.map { min(max($0, .zero), Self.longestTimeout) }
        self.refresh = refresh
        self.now = now
        state = Locked(State(issued: credential.map { Issued($0, number: 0, at: now()) }))
    }

    /// Whether the current task is at work for a refresh that has not returned. One that a refresh has left behind need not go
    /// without a credential.
    var isRefreshedByCurrentTask: Bool {
        guard let (authenticator, number) = Self.refreshing, authenticator === self else { return false }
        return state.withLock { $0.working.contains(number) }
    }

    /// How many refreshes have not returned, those that were given up among them.
    package var refreshCount: Int { state.withLock { $0.working.count } }

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
        let now = now()
        return state.withLock { state in
            if let issued = state.issued, issued.isDue(at: now) {
                state.reject(issued)
                state.isStaleEarly = true
            }
            if let rejected { state.reject(rejected) }
            return state.known(insteadOf: rejected)
        }
    }

    /// Gives out a credential as soon as there is one, after a refresh if need be. `receive` takes it or why there is none, once, on
    /// any thread, also before this method returns.
    ///
    /// - Returns: What withdraws the question.
    func awaitCredential(
        insteadOf rejected: Issued?,
        _ time: any TimeSource,
        _ receive: @escaping @Sendable (Result<Issued, any Error>) -> Void
    ) -> @Sendable () -> Void {
        enum Answer {
            case known(Result<Issued, any Error>)
            case wait(Int, refresh: Int?, stale: Credential?)
        }
        let answer: Answer = state.withLock { state in
            if let known = state.known(insteadOf: rejected) { return .known(known) }
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = receive
            return .wait(state.lastWaiter, refresh: state.beginRefresh(), stale: state.stale?.credential)
        }
        switch answer {
        case .known(let result):
            receive(result)
            return {}
        case .wait(let waiter, let number, let stale):
            if let number { begin(number, insteadOf: stale, time) }
            // What it holds goes after the lock is released.
            return { _ = self.state.withLock { $0.waiters.removeValue(forKey: waiter) } }
        }
    }

    private func begin(_ number: Int, insteadOf stale: Credential?, _ time: any TimeSource) {
        let task = Task.detached { await self.refresh(number, insteadOf: stale) }
        guard let timeout else { return }
        let timer = time.timer(at: time.elapsed + timeout) { [weak self] in
            guard let self else { return }
            let now = now()
            guard let end = state.withLock({ $0.giveUp(number, after: timeout, at: now) }) else { return }
            task.cancel()
            end.tell()
        }
        // The refresh may have ended meanwhile.
        if !state.withLock({ $0.keep(timer, of: number) }) { timer.cancel() }
    }

    private func refresh(_ number: Int, insteadOf stale: Credential?) async {
        let result: Result<Credential, any Error>
        do {
            result = .success(try await Self.$refreshing.withValue((self, number)) { try await refresh(stale) })
        } catch {
            result = .failure(error)
        }
        let now = now()
        state.withLock { $0.endRefresh(number, result, at: now) }?.tell()
    }
}

extension Authenticator {
    /// The end of a wait: what there is now, and who waits for it, in the order in which they came.
    fileprivate struct End {
        let result: Result<Issued, any Error>
        let waiters: [Waiter]
        let timer: ScheduledTimer?

        func tell() {
            timer?.cancel()
            for waiter in waiters { waiter(result) }
        }
    }
}

extension Authenticator.State {
    fileprivate mutating func reject(_ rejected: Authenticator.Issued) {
        if rejected.number == (issued ?? stale)?.number { isStaleEarly = false }
        guard issued?.number == rejected.number else { return }
        (stale, issued, failure) = (issued, nil, nil)
    }

    /// - Returns: The credential, or why there is none instead of the rejected one; `nil` while that is open.
    fileprivate func known(insteadOf rejected: Authenticator.Issued?) -> Result<Authenticator.Issued, any Error>? {
        if let issued { return .success(issued) }
        // Of those who sent the same, the first have this error already.
        guard let failure, failure.number == rejected?.number, current == nil else { return nil }
        return .failure(failure.error)
    }

    /// - Returns: The number of the refresh that is to begin; `nil` if one is waited for already.
    fileprivate mutating func beginRefresh() -> Int? {
        guard current == nil else { return nil }
        lastRefresh += 1
        current = (lastRefresh, nil)
        working.insert(lastRefresh)
        return lastRefresh
    }

    /// Keeps the timer of a refresh, while that is waited for.
    fileprivate mutating func keep(_ timer: ScheduledTimer, of number: Int) -> Bool {
        guard current?.number == number else { return false }
        current?.timer = timer
        return true
    }

    /// - Returns: `nil` if the refresh is not waited for any more.
    fileprivate mutating func giveUp(_ number: Int, after timeout: Duration, at now: Date) -> Authenticator.End? {
        guard current?.number == number else { return nil }
        return fail(Call.timedOut("no new credential arrived within \(timeout)"), at: now)
    }

    /// - Returns: `nil` if nothing comes of the result: that of a refresh that was given up.
    fileprivate mutating func endRefresh(
        _ number: Int,
        _ result: Result<Credential, any Error>,
        at now: Date
    ) -> Authenticator.End? {
        working.remove(number)
        let isCurrent = current?.number == number
        switch result {
        case .success(let credential):
            // That of a refresh that was given up is taken as long as no later one has given any.
            guard number > (issued ?? stale)?.number ?? 0 else { return nil }
            let issued = Authenticator.Issued(credential, number: number, at: now)
            self.issued = issued
            return end(.success(issued), timer: isCurrent ? takeTimer() : nil)
        case .failure(let error):
            return isCurrent ? fail(error, at: now) : nil
        }
    }

    private mutating func fail(_ error: any Error, at now: Date) -> Authenticator.End {
        if isStaleEarly, var stale, let expires = stale.credential.expires, expires > now {
            // It is good until then.
            stale.due = expires
            issued = stale
            return end(.success(stale), timer: takeTimer())
        }
        failure = stale.map { ($0.number, error) }
        return end(.failure(error), timer: takeTimer())
    }

    /// - Returns: The timer of the refresh, which is not waited for any more.
    private mutating func takeTimer() -> ScheduledTimer? {
        defer { current = nil }
        return current?.timer
    }

    private mutating func end(
        _ result: Result<Authenticator.Issued, any Error>,
        timer: ScheduledTimer?
    ) -> Authenticator.End {
        defer { waiters = [:] }
        return Authenticator.End(
            result: result,
            waiters: waiters.sorted { $0.key < $1.key }.map(\.value),
            timer: timer
        )
    }
}
