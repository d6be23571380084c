public import TeapotFoundation

/// Decides which failed requests are sent again, and when: see ``Teapot/Teapot/retryPolicy``.
///
/// ```swift
/// teapot.retryPolicy = RetryPolicy(maximumAttempts: 4, window: .seconds(30))
/// ```
///
/// Only requests that may be sent twice are retried: see ``Teapot/Teapot/Request/isIdempotent``. The delays are exponential with
/// full jitter, and at least as long as `Retry-After` (RFC 9110, section 10.2.3) asks: see <doc:RetriesAndCredentials>. A
/// closure can decide otherwise: see ``decide``.
public struct RetryPolicy: Sendable {
    /// The maximum number of attempts, including the first; at least one. A resumed download counts anew after progress.
    public var maximumAttempts: Int
    /// The maximum delay before the second attempt.
    public var baseDelay: Duration
    /// The maximum delay before any attempt. A call ends at once if `Retry-After` asks for more.
    public var maximumDelay = Duration.seconds(60)
    /// The time from the start of the call in which an attempt may begin; `nil` for no limit.
    /// If the next would begin later, the call ends at once with the last error. An attempt under way continues:
    /// ``Teapot/Teapot/Request/deadline`` limits the whole call. The time continues while the call's task is suspended.
    public var window: Duration?
    /// The statuses that cause another attempt; by default those of failures that may be temporary.
    public var statuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
    /// The codes of a `URLError` that cause another attempt, with or without a response; by default those of a timeout, no
    /// connection, a lost connection and a host that was not found.
    public var errorCodes: Set<URLError.Code> = [
        .timedOut, .cannotConnectToHost, .networkConnectionLost, .cannotFindHost, .dnsLookupFailed,
        .notConnectedToInternet,
    ]
    /// Decides on a failed attempt before the other rules do. If it is `nil`, the default, or returns `nil`, they decide.
    ///
    /// It is called as plugins are (see ``Teapot/Teapot/Plugin``), also for a request that may not be sent twice, and after the last
    /// attempt. It is not called if nothing can be sent again (a body from an `AsyncSequence`, a stream of which the reader has
    /// data), nor for a response that a cache made.
    public var decide: (@Sendable (Failure) -> Decision?)?
    /// Returns a random number from 0 to 1 for the delay before an attempt, which is that part of the maximum; for tests.
    public var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// A failed attempt, for ``decide``.
    public struct Failure: Sendable, CustomReflectable {
        /// The error of the attempt.
        public let error: TeapotError
        /// The request, without cookies and without the signature of a credential that signs.
        public let request: URLRequest
        /// The number of attempts so far, from 1 on, as ``maximumAttempts`` counts them.
        public let attempts: Int

        /// The text of the error, which shows no secrets; the request is not shown.
        public var customMirror: Mirror { Mirror(self, shown: ["error": error]) }
    }

    /// A result of ``decide``. A later version may add cases: a `switch` needs `@unknown default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Decision: Sendable, Equatable {
        /// The call ends with the error.
        case stop
        /// The request is sent again after this time, whatever its method, if ``maximumAttempts`` and ``window`` allow it.
        case again(after: Duration)
    }

    /// Makes a policy; everything else is a property.
    public init(maximumAttempts: Int = 3, baseDelay: Duration = .milliseconds(500), window: Duration? = nil) {
        self.maximumAttempts = maximumAttempts
        self.baseDelay = baseDelay
        self.window = window
    }

    /// The delay before a request is sent again, not negative; `nil` if it is not.
    func delay(after failure: Failure, isIdempotent: Bool) -> Duration? {
        let isAllowed = failure.attempts < maximumAttempts
        switch decide?(failure) {
        case .stop: return nil
        case .again(let delay): return isAllowed ? delay.bounded : nil
        case nil: break
        }
        let isTemporary =
            switch failure.error.type {
            case .invalidResponseStatus: failure.error.responseStatus.map(statuses.contains) ?? false
            case .noResponse, .dataTaskError: failure.error.code.map(errorCodes.contains) ?? false
            default: false
            }
        guard isIdempotent, isAllowed, isTemporary else { return nil }
        let backoff = delay(afterAttempt: failure.attempts)
        guard let asked = failure.error.head?.retryAfter else { return backoff }
        return asked <= maximumDelay ? max(asked, backoff) : nil
    }

    func delay(afterAttempt attempt: Int) -> Duration {
        // A huge power of two is infinite, and zero times infinity is not a number.
        let longest = baseDelay > .zero ? baseDelay.seconds * pow(2, Double(attempt - 1)) : 0
        let share = random()
        return .seconds(min(longest, maximumDelay.bounded.seconds) * (share > 0 ? min(share, 1) : 0))
    }
}
