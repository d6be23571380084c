import TeapotFoundation

/// The state of an authenticator for each scope, under its lock.
extension Authenticator {
    /// A credential and its number: a server may issue the same credential twice.
    final class Issued: Sendable, Equatable {
        let credential: Credential
        let scope: String
        /// The number of the refresh; 0 for the first credential, which no refresh issued.
        let number: Int
        /// The time at which it is to be replaced; `nil` if only a 401 shows that.
        let due: Date?
        /// The field that it sets; empty if there is an error, or if the field depends on the request.
        let field: [String: String]

        init(_ credential: Credential, scope: String, number: Int, at now: Date, due: Date? = nil) {
            self.credential = credential
            let value = credential.signer == nil ? try? credential.checkedValue() : nil
            field = value.map { [credential.name: $0] } ?? [:]
            self.scope = scope
            self.number = number
            let lifetime = credential.expires.map { $0.timeIntervalSince(now) } ?? 0
            // A new credential that seems to have expired would be replaced forever.
            let isReplaced = lifetime > 0 || number == 0
            self.due = due ?? (isReplaced ? credential.expires.map { $0 - min(30, max(lifetime, 0) / 2) } : nil)
        }

        func isDue(at now: Date) -> Bool { due.map { $0 <= now } ?? false }

        static func == (lhs: Issued, rhs: Issued) -> Bool { (lhs.scope, lhs.number) == (rhs.scope, rhs.number) }
    }

    final class State {
        let scope: String
        /// The credential for requests; `nil` while there is none.
        var issued: Issued?
        /// The previous credential, while there is no other.
        var stale: Issued?
        /// Whether the stale credential is only replaced ahead of its expiry, and no server has refused it.
        var isStaleEarly = false
        /// The error of the refresh of the stale credential.
        var failure: (number: Int, error: any Error)?
        /// The number of the current refresh, which is that of its timer; `nil` while there is none.
        var current: Int?
        var timer = TimerSlot()
        /// The refreshes that have not returned yet, including abandoned ones.
        var working: [Int] = []
        /// The waits for the current refresh, in order of arrival.
        var waiters: [PendingCredential] = []
        /// The challenges of the last rejection, for a refresh ahead of an expiry.
        var challenges: [Teapot.Challenge] = []

        init(_ scope: String, issued: Issued?) {
            self.scope = scope
            self.issued = issued
        }

        /// The end of a refresh, with a closure that tells the waiters. Both are used without the lock.
        struct End {
            let timer: ScheduledTimer?
            let tell: @Sendable () -> Void
        }

        func reject(_ rejected: Issued) {
            if rejected.number == (issued ?? stale)?.number { isStaleEarly = false }
            guard issued?.number == rejected.number else { return }
            stale = issued
            issued = nil
            failure = nil
        }

        /// - Returns: The number of the refresh to begin; `nil` if one is running already.
        func beginRefresh() -> Int? {
            guard current == nil else { return nil }
            let number = timer.next()
            current = number
            working.append(number)
            return number
        }

        /// - Returns: `nil` if the result has no effect, as for an abandoned refresh.
        func endRefresh(_ number: Int, with result: Result<Credential, any Error>, at now: Date) -> End? {
            working.removeAll { $0 == number }
            switch result {
            case .success(let credential):
                // The result of an abandoned refresh counts as long as no later refresh has returned a credential.
                guard number > (issued ?? stale)?.number ?? 0 else { return nil }
                issued = Issued(credential, scope: scope, number: number, at: now)
                return end(number, with: .success(issued))
            case .failure(let error): return fail(number, with: error, at: now)
            }
        }

        /// - Returns: `nil` if the refresh is not current any more.
        func fail(_ number: Int, with error: any Error, at now: Date) -> End? {
            guard current == number else { return nil }
            if isStaleEarly, let stale, let expires = stale.credential.expires, expires > now {
                // The credential is good until then.
                issued = Issued(stale.credential, scope: scope, number: stale.number, at: now, due: expires)
                return end(number, with: .success(issued))
            }
            // A cancelled refresh says nothing about the credential: the next request with a rejected one asks again.
            failure = error.isCancellation ? nil : stale.map { ($0.number, error) }
            return end(number, with: .failure(error))
        }

        private func end(_ number: Int, with result: Result<Issued?, any Error>) -> End {
            let timer = current == number ? timer.stop() : nil
            if current == number { current = nil }
            let waiters = waiters
            self.waiters = []
            return End(timer: timer) { for waiter in waiters { waiter.set(result) } }
        }
    }
}
