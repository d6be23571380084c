public import TeapotFoundation

/// Decides which failed requests are sent again, and when: see ``Teapot/Teapot/retryPolicy``.
///
/// ```swift
/// teapot.retryPolicy = RetryPolicy(maximumAttempts: 4, deadline: .seconds(30))
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
    public var maximumDelay: Duration
    /// The maximum duration of a call, including all attempts and delays; `nil` for no limit.
    ///
    /// It applies to every call but an event stream, also to requests that are not sent twice. An attempt that is under way at the deadline fails
    /// with `noResponse` or `dataTaskError`, caused by `URLError.timedOut`. An attempt that would start later is not made: the
    /// call ends at once with the last error. The time continues while the call's task is suspended.
    public var deadline: Duration?
    /// The statuses that cause another attempt.
    public var statuses: Set<Int>
    /// The codes of a `URLError` that cause another attempt, with or without a response.
    public var errorCodes: Set<URLError.Code>
    /// Decides on a failed attempt before the other rules do; if it is `nil`, the default, they decide.
    ///
    /// It is called on the thread that has the failure: also for a request that may not be sent twice, and after the last
    /// attempt. It is not called if nothing can be sent again (a body from an `AsyncSequence`, a stream of which the reader has
    /// data), nor for a response that a cache made.
    public var decide: (@Sendable (Failure) -> Decision)?
    private let random: RandomSource

    /// A failed attempt, for ``decide``.
    public struct Failure: Sendable {
        /// The error of the attempt.
        public let error: TeapotError
        /// The request, without cookies and without the signature of a credential that signs.
        public let request: URLRequest
        /// The number of attempts so far, from 1 on, as ``maximumAttempts`` counts them.
        public let attempts: Int
    }

    /// What ``decide`` decides. A later version may add cases: a `switch` needs `@unknown default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Decision: Sendable, Hashable {
        /// The other rules of the policy decide.
        case byRules
        /// The call ends with the error.
        case stop
        /// The request is sent again after this time, whatever its method. ``RetryPolicy/maximumAttempts`` and
        /// ``RetryPolicy/deadline`` still apply.
        case again(after: Duration)
    }

    /// Makes a policy from its properties. The generator provides the randomness of the delays.
    public init(
        maximumAttempts: Int = 3,
        baseDelay: Duration = .milliseconds(500),
        maximumDelay: Duration = .seconds(60),
        deadline: Duration? = nil,
        statuses: Set<Int> = RetryPolicy.standardStatuses,
        errorCodes: Set<URLError.Code> = RetryPolicy.standardErrorCodes,
        generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        decide: (@Sendable (Failure) -> Decision)? = nil
    ) {
        self.maximumAttempts = maximumAttempts
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.deadline = deadline
        self.statuses = statuses
        self.errorCodes = errorCodes
        self.decide = decide
        random = RandomSource(generator)
    }

    /// The statuses of failures that may be temporary: 408, 429, 500, 502, 503 and 504.
    public static let standardStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]

    /// The codes of temporary network failures: a timeout, no connection, a lost connection, a host that was not found.
    public static let standardErrorCodes: Set<URLError.Code> = [
        .timedOut, .cannotConnectToHost, .networkConnectionLost, .cannotFindHost, .dnsLookupFailed,
        .notConnectedToInternet,
    ]
}

extension RetryPolicy {
    /// The longest useful time: a longer one cannot be added to the time of every clock.
    private static let endless = Duration.seconds(1_000_000_000)

    /// ``deadline``, limited so that it can be added to a time.
    var limit: Duration? { deadline.map { min(max($0, .zero), Self.endless) } }

    /// The delay before a request is sent again, not negative; `nil` if it is not.
    func delay(after error: TeapotError, of request: OutgoingRequest, attempts: Int) -> Duration? {
        let failure = Failure(error: error, request: request.urlRequest, attempts: attempts)
        return switch decide?(failure) ?? .byRules {
        case .byRules: request.isIdempotent == true ? delay(after: error, attempts: attempts) : nil
        case .stop: nil
        case .again(let delay): attempts < maximumAttempts ? min(max(delay, .zero), Self.endless) : nil
        }
    }

    /// The delay by the rules.
    func delay(after error: TeapotError, attempts: Int) -> Duration? {
        guard attempts < maximumAttempts, isWorthAnotherAttempt(error) else { return nil }
        let backoff = delay(afterAttempt: attempts)
        guard let response = error.response, let asked = RetryAfter(response)?.delay else { return backoff }
        return asked <= maximumDelay ? max(asked, backoff) : nil
    }

    private func isWorthAnotherAttempt(_ error: TeapotError) -> Bool {
        switch error.type {
        case .invalidResponseStatus: error.responseStatus.map(statuses.contains) ?? false
        case .noResponse, .dataTaskError:
            (error.underlyingError as? URLError).map { errorCodes.contains($0.code) } ?? false
        default: false
        }
    }

    /// The backoff: exponential, with full jitter.
    ///
    /// - Parameter attempt: The number of attempts so far, from 1 on.
    /// - Returns: A random time from zero to the base delay, doubled with each attempt, or to the maximum.
    func delay(afterAttempt attempt: Int) -> Duration {
        let longest = min(maximumDelay, Self.endless).seconds
        // A huge power of two is infinite, and zero times infinity is not a number.
        let backoff = baseDelay > .zero ? min(baseDelay.seconds * pow(2, Double(attempt - 1)), longest) : 0
        return .seconds(random.next(upTo: max(backoff, 0)))
    }
}

extension RetryPolicy.Failure: CustomStringConvertible, CustomReflectable {
    /// The text of the error, which shows no secrets; the request is not shown.
    public var description: String { "\(error)" }

    /// The same, for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["error": description], displayStyle: .struct) }
}

/// A generator that calls share.
private final class RandomSource: Sendable {
    private struct State {
        var generator: any RandomNumberGenerator & Sendable
        var draws = 0
    }

    private let state: Locked<State>

    init(_ generator: some RandomNumberGenerator & Sendable) {
        state = Locked(State(generator: generator))
    }

    func next(upTo bound: Double) -> Double {
        // `Double.random(in:using:)` never ends with a generator that always returns zero, such as one of a test.
        Double(next() >> 11) * 0x1p-53 * bound
    }

    /// Draws from a copy, since a caller's generator must not run under the lock. The first thread to store its copy wins.
    private func next() -> UInt64 {
        while true {
            var (generator, draws) = state.withLock { ($0.generator, $0.draws) }
            let number = generator.next()
            let isFirst = state.withLock { state in
                guard state.draws == draws else { return false }
                state = State(generator: generator, draws: draws + 1)
                return true
            }
            if isFirst { return number }
        }
    }
}
