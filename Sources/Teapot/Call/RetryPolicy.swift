public import TeapotFoundation

/// Which failures are worth another attempt, and when it is made: see ``Teapot/Teapot/retryPolicy``.
///
/// ```swift
/// teapot.retryPolicy = RetryPolicy(maximumAttempts: 4, deadline: .seconds(30))
/// ```
///
/// Only requests that may be sent twice are: those of an idempotent method (RFC 9110, section 9.2.2), unless
/// ``Teapot/Teapot/Request/isIdempotent`` says otherwise. Between two attempts a call waits for a random time up to
/// ``baseDelay``, doubled with each attempt and at most ``maximumDelay``, so that clients that failed together do not come back
/// together (exponential backoff with full jitter). Where the server says by `Retry-After` how long to wait (RFC 9110, section
/// 10.2.3), in seconds or as a date, the call waits at least so long, and ends at once if that is longer than `maximumDelay`.
public struct RetryPolicy: Sendable {
    /// How often a request is sent, the first time included; at least once. A download that resumes and gets further begins anew.
    public var maximumAttempts: Int
    /// The longest time before the second attempt.
    public var baseDelay: Duration
    /// The longest time before any attempt. A call whose server asks for more, by `Retry-After`, ends at once.
    public var maximumDelay: Duration
    /// How long a call may take, all attempts and what lies between them; `nil` for no limit.
    ///
    /// It holds for every call but those of ``Teapot/Teapot/events(_:maximumReconnects:)``, also of requests that are not sent twice. An attempt that is under way then ends with
    /// `noResponse` or `dataTaskError` and `URLError.timedOut` beneath. One that would begin later is not made: the call ends at
    /// once, with the error of the last. The time goes on while the call's task is suspended.
    public var deadline: Duration?
    /// Statuses that are worth another attempt.
    public var statuses: Set<Int>
    /// Codes of a `URLError` that are worth another attempt, whether there was no response or one that broke off.
    public var errorCodes: Set<URLError.Code>
    private let random: RandomSource

    /// Makes a policy of its properties. The randomness of the delays comes from the generator.
    public init(
        maximumAttempts: Int = 3,
        baseDelay: Duration = .milliseconds(500),
        maximumDelay: Duration = .seconds(60),
        deadline: Duration? = nil,
        statuses: Set<Int> = RetryPolicy.standardStatuses,
        errorCodes: Set<URLError.Code> = RetryPolicy.standardErrorCodes,
        generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.maximumAttempts = maximumAttempts
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.deadline = deadline
        self.statuses = statuses
        self.errorCodes = errorCodes
        random = RandomSource(generator)
    }

    /// Those that say that the same request may well succeed later: 408, 429, 500, 502, 503 and 504.
    public static let standardStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]

    /// Those of a network that fails now and then: a timeout, no connection, a lost one, a host that was not found.
    public static let standardErrorCodes: Set<URLError.Code> = [
        .timedOut, .cannotConnectToHost, .networkConnectionLost, .cannotFindHost, .dnsLookupFailed,
        .notConnectedToInternet,
    ]
}

extension RetryPolicy {
    /// The longest time that means anything: what is longer cannot be added to the time of every clock.
    private static let endless = Duration.seconds(1_000_000_000)

    /// ``deadline``, such that it can be added to a time.
    var limit: Duration? { deadline.map { min(max($0, .zero), Self.endless) } }

    /// How long to wait before the next attempt, after so many; not negative, and `nil` if there is none.
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
    /// - Parameter attempt: How many attempts there were, from 1 on.
    /// - Returns: A random time from zero to the base delay, doubled with each attempt, or the maximum.
    package func delay(afterAttempt attempt: Int) -> Duration {
        let longest = min(maximumDelay, Self.endless).seconds
        // A power of two beyond any delay is infinite, and no time times that would be no number.
        let backoff = baseDelay > .zero ? min(baseDelay.seconds * pow(2, Double(attempt - 1)), longest) : 0
        return .seconds(random.next(upTo: max(backoff, 0)))
    }
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
        // `Double.random(in:using:)` never ends with a generator that always says zero, as those of tests may.
        Double(next() >> 11) * 0x1p-53 * bound
    }

    /// Draws from a copy, since a caller's generator is not to run under the lock. Whoever puts its copy back first has drawn.
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
