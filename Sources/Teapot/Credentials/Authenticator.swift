/// Adds a credential to requests, and refreshes it when a server rejects it: see ``Teapot/Teapot/authenticator``.
///
/// ```swift
/// teapot.authenticator = Authenticator(.bearer(accessToken)) { _ in
///     let token = try await login.post("token", body: grant, as: Token.self)
///     return .bearer(token.access, expires: Date(timeIntervalSinceNow: token.expiresIn))
/// }
/// ```
///
/// When a request that carries the credential gets a 401 (RFC 9110, section 15.5.2), or another status that was named, the
/// credential is stale. It is refreshed once, however many requests wait for it, and each of them is sent again, once, whatever
/// its method. No request is sent with a credential that is known to be stale. <doc:RetriesAndCredentials> describes credentials
/// with an expiry date, refreshes that fail or take too long, and requests that the refresh itself sends.
///
/// A new credential that has expired already is sent all the same, as the clocks may differ. A request that already has the
/// credential's field is not changed.
///
/// One authenticator can serve several Teapots: its copies share its credentials. Set its properties before the first call.
public struct Authenticator: Sendable {
    /// The details of a refresh.
    public struct Refresh: Sendable, CustomReflectable {
        /// The credential to replace; `nil` if there was none.
        public let stale: Credential?
        /// The request that waits for the credential, without it; others may wait, too.
        public let request: URLRequest
        /// The response that rejected the request; `nil` if there was none, as before the first request, or ahead of an expiry.
        public let response: Teapot.Response?
        /// The scope of the credential.
        public let scope: String
        /// The challenges of the response or, without one, of the last rejection in this scope; empty if there is none.
        public let challenges: [Teapot.Challenge]

        /// The method and path, secrets of ``SecretPolicy/standard`` redacted, and the status of the rejection.
        public var customMirror: Mirror {
            let path = SecretPolicy.standard.redacted(line: request.url?.path() ?? "")
            var line = (request.httpMethod ?? "GET") + " " + path
            if let response { line += ": \(response.status)" }
            return Mirror(self, shown: ["request": line])
        }
    }

    /// The credential, `nil` if the request needs none, or the error that prevents one; or later, during a refresh.
    enum Answer {
        case known(Result<Issued?, any Error>)
        case later(PendingCredential)
    }

    /// The refresh that the current task works on.
    @TaskLocal private static var refreshing: (states: States, scope: String, number: Int)?

    /// The statuses that reject a credential: 401 by default; some servers use 403.
    public var rejectedStatuses: Set<Int> = [401]
    /// Whether the first request waits for a credential if there is none; `true` by default. If not, it is sent without one, and a
    /// rejection says what to get, as in a registry of containers.
    public var isPreemptive = true
    /// The maximum duration of a refresh, a day at most, by the clock of the `Teapot` whose request began it: 30 seconds by default;
    /// `nil` for no limit. If it is zero or less, each refresh is abandoned at once.
    public var refreshTimeout: Duration? = .seconds(30)
    /// Names the credential that a request needs, if not all need the same: there is one for each name, as long as the
    /// authenticator lives. It takes the request without a credential, and is called as plugins are.
    public var scope: @Sendable (URLRequest) -> String {
        get { ownScope ?? { _ in "" } }
        set { ownScope = newValue }
    }
    private var ownScope: (@Sendable (URLRequest) -> String)?
    private let states: States

    /// The part that copies share.
    private final class States: Sendable {
        typealias Refreshing = @Sendable (Refresh) async throws -> Credential

        let refresh: Refreshing
        let now: @Sendable () -> Date
        let first: (credential: Credential, time: Date)?
        let scopes = Locked<[String: State]>([:])

        init(_ first: Credential?, _ now: @escaping @Sendable () -> Date, _ refresh: @escaping Refreshing) {
            self.first = first.map { ($0, now()) }
            self.now = now
            self.refresh = refresh
        }

        /// Changes the state of a scope, which begins with the first credential.
        func withState<Value: Sendable>(of scope: String, _ change: (State) -> Value) -> Value {
            // The old values are released after the lock: the `deinit` of a user's object may call back here.
            let (value, _) = scopes.withLock { states in
                let known = states[scope]
                let state = known ?? State(scope, issued: first.map { Issued($0, scope: scope, number: 0, at: $1) })
                if known == nil { states[scope] = state }
                let before = (state.issued, state.stale, state.failure)
                return (change(state), before)
            }
            return value
        }
    }

    /// Makes an authenticator; everything else is a property.
    ///
    /// - Parameters:
    ///   - credential: The first credential; `nil` to get one by `refresh` before the first request is sent.
    ///   - now: Returns the current time, for credentials that expire.
    ///   - refresh: Gets a credential, in a task of its own, which is cancelled only on timeout, and has the task-local values of
    ///     the call that caused it. It takes the stale credential and the rejection, if there are any.
    public init(
        _ credential: Credential? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        refresh: @escaping @Sendable (Refresh) async throws -> Credential
    ) { states = States(credential, now, refresh) }

    /// Whether the current task belongs to a refresh that has not returned: a task that outlives its refresh gets credentials again.
    var isRefreshedByCurrentTask: Bool {
        guard let (other, scope, number) = Self.refreshing, other === states else { return false }
        return states.scopes.withLock { $0[scope]?.working.contains(number) == true }
    }

    /// The number of refreshes that have not returned, including abandoned ones.
    var refreshCount: Int { states.scopes.withLock { $0.values.reduce(0) { $0 + $1.working.count } } }

    /// The current credential, if requests need not be looked at one by one, and it sets a field; `nil` while there is none.
    var common: Issued? {
        guard ownScope == nil else { return nil }
        let now = states.now()
        let issued = states.scopes.withLock { $0[""]?.issued } ?? states.withState(of: "") { $0.issued }
        return issued.flatMap { !$0.field.isEmpty && !$0.isDue(at: now) ? $0 : nil }
    }

    /// Provides a credential for a request: its `own`, unless a server rejected it, or else the current one, after a refresh if necessary. A
    /// request that already has the header field needs none. A credential that comes later may come before this method returns.
    ///
    /// `hasOwn` is whether the caller gave the request an `Authorization`. The field of a credential is not known before there is one: until
    /// then, such a request does not wait, and a 401 is about its `Authorization`.
    func credential(
        for request: URLRequest,
        with own: Issued?,
        hasOwn: Bool,
        rejection: Teapot.Response?,
        _ time: any TimeSource
    ) -> Answer {
        typealias Begun = (number: Int, stale: Credential?, challenges: [Teapot.Challenge])
        let now = states.now()
        let (isRejected, challenges) = (rejection != nil, rejection?.challenges)
        let scope = own?.scope ?? scope(request)
        let (answer, begun): (Answer, Begun?) = states.withState(of: scope) { state in
            let name = (state.issued ?? state.stale)?.credential.name
            let hasField = name.map { request.value(forHTTPHeaderField: $0) != nil }
            if own == nil, hasField ?? (hasOwn && isPreemptive && rejection?.status ?? 401 == 401) {
                return (.known(.success(nil)), nil)
            }
            if !isRejected, let own, own == state.issued { return (.known(.success(own)), nil) }
            if let issued = state.issued, issued.isDue(at: now) {
                state.reject(issued)
                state.isStaleEarly = true
            }
            if let challenges { state.challenges = challenges }
            if isRejected, let own { state.reject(own) }
            if let issued = state.issued { return (.known(.success(issued)), nil) }
            // The first requests that sent the same credential already got this error.
            if let failure = state.failure, failure.number == own?.number, state.current == nil {
                return (.known(.failure(failure.error)), nil)
            }
            if !isPreemptive, own == nil, !isRejected, state.stale == nil { return (.known(.success(nil)), nil) }
            let late = PendingCredential { [states] late in
                states.scopes.withLock { $0[scope]?.waiters.removeAll { $0 === late } }
            }
            state.waiters.append(late)
            let begun = state.beginRefresh().map { ($0, state.stale?.credential, state.challenges) }
            return (.later(late), begun)
        }
        if let (number, stale, challenges) = begun {
            var bare = request
            if let own { bare.setField(own.credential.name, nil) }
            let asked = Refresh(stale: stale, request: bare, response: rejection, scope: scope, challenges: challenges)
            begin(number, asked, time)
        }
        return answer
    }

    private func begin(_ number: Int, _ refresh: Refresh, _ time: any TimeSource) {
        let scope = refresh.scope
        // The task has the usual priority at least, since other calls may wait for it, too. Credentials that it uses do not belong to the
        // request that is being prepared.
        let task = Credential.$inUse.withValue(nil) {
            Task(priority: max(Task.currentPriority, .medium)) { await self.carryOut(refresh, number) }
        }
        // The system's timers fire after a day at most.
        guard let timeout = refreshTimeout.map({ min($0.bounded, .seconds(86_400)) }) else { return }
        let timer = time.timer(at: time.elapsed + timeout) {
            let now = states.now()
            let error = URLError.timedOut("no new credential arrived within \(timeout)")
            guard let end = states.withState(of: scope, { $0.fail(number, with: error, at: now) }) else { return }
            task.cancel()
            end.tell()
        }
        // The refresh may have ended in the meantime.
        states.withState(of: scope) { $0.timer.keep(timer, number: number) }?.cancel()
    }

    private func carryOut(_ asked: Refresh, _ number: Int) async {
        let result: Result<Credential, any Error>
        do {
            result = try await Self.$refreshing.withValue((states, asked.scope, number)) {
                .success(try await states.refresh(asked))
            }
        } catch { result = .failure(error) }
        let now = states.now()
        let end = states.withState(of: asked.scope) { $0.endRefresh(number, with: result, at: now) }
        guard let end else { return }
        end.timer?.cancel()
        // Closure calls go on there, without the values of this task, and not on a thread that other tasks need.
        DispatchQueue.runApart(end.tell)
    }
}
