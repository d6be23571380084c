public import TeapotFoundation

/// A client for one API: a base URL, and verbs to call paths below it.
///
/// ```swift
/// let teapot = Teapot(baseURL: baseURL)
/// let user = try await teapot.get("users/1", as: User.self)
/// teapot.get("users/1") { result in
///     switch result {
///     case .success(let json, let response): show(json?.dictionary, response.status)
///     case .failure(_, _, let error): show(error)
///     }
/// }
/// ```
///
/// An async call returns or throws, and throws `cancelled` when the task that waits is cancelled. A closure call completes
/// exactly once, on the queue it was given, or else on the default delivery queue; a cancelled one does not complete.
/// Everything about a Teapot may be used from any thread. A Teapot may go while calls are under way: they go on to their end.
///
/// `@unchecked Sendable` is sound: every stored property is a constant of Sendable type. It cannot be checked because the
/// class is open; a subclass answers for what it adds.
open class Teapot: @unchecked Sendable {
    let transport: any InformedTransport
    let cookieJar: CookieJar?
    let configuredHeaderFields: [String: String]
    let time: any TimeSource
    let defaultDeliveryQueue: DispatchQueue
    private let settings: Locked<Settings>

    /// Makes a client that talks to servers.
    ///
    /// - Parameters:
    ///   - baseURL: An http or https URL, to which paths are appended. Of any other, each call fails with
    ///     `invalidRequestPath`.
    ///   - defaultDeliveryQueue: Where completions are called if the call names no queue.
    ///   - configuration: What the session goes by. Without one, cookies live in memory with this Teapot, nothing is cached
    ///     and none of that is on disk; with one, its cookie storage, header fields and limits count.
    ///   - clock: What timeouts are measured by; the system's monotonic time if `nil`.
    public init(
        baseURL: URL,
        defaultDeliveryQueue: DispatchQueue = .main,
        configuration: URLSessionConfiguration? = nil,
        clock: (any Clock<Duration>)? = nil
    ) {
        time = clock.timeSource
        self.defaultDeliveryQueue = defaultDeliveryQueue
        transport = URLSessionTransport(configuration: configuration)
        cookieJar = CookieJar(configuration: configuration)
        configuredHeaderFields = configuration?.headerFields ?? [:]
        var settings = Settings(baseURL: baseURL)
        if let interval = configuration?.timeoutIntervalForRequest, interval != 60 {
            settings.timeoutInterval = interval
        }
        self.settings = Locked(settings)
    }

    /// Makes a client with a transport of your own.
    ///
    /// - Parameters:
    ///   - baseURL: An http or https URL, to which paths are appended.
    ///   - defaultDeliveryQueue: Where completions are called if the call names no queue.
    ///   - transport: What carries the requests.
    ///   - clock: What timeouts are measured by; the system's monotonic time if `nil`.
    public init(
        baseURL: URL,
        defaultDeliveryQueue: DispatchQueue = .main,
        transport: any Transport,
        clock: (any Clock<Duration>)? = nil
    ) {
        time = clock.timeSource
        self.defaultDeliveryQueue = defaultDeliveryQueue
        self.transport = transport.informed
        cookieJar = CookieJar()
        configuredHeaderFields = [:]
        settings = Locked(Settings(baseURL: baseURL))
    }

    /// Makes a client with a transport of Teapot's own.
    package init(baseURL: URL, informedTransport transport: any InformedTransport, clock: (any Clock<Duration>)?) {
        time = clock.timeSource
        defaultDeliveryQueue = .main
        self.transport = transport
        cookieJar = CookieJar()
        configuredHeaderFields = [:]
        settings = Locked(Settings(baseURL: baseURL))
    }

    /// The bundle whose `Localizable.strings` may replace Teapot's error texts; Teapot's own until it is set.
    ///
    /// A key that it lacks is looked up in Teapot's own strings.
    public static var localizationBundle: Bundle {
        get { LocalizedStrings.currentBundle }
        set { LocalizedStrings.currentBundle = newValue }
    }

    /// The URL to which paths are appended.
    public var baseURL: URL {
        get { settings.withLock { $0.baseURL } }
        set { settings.withLock { $0.baseURL = newValue } }
    }

    /// What writes requests, responses and errors; one of level `none` at first.
    public var logger: Logger {
        get { settings.withLock { $0.logger } }
        set { replace(\.logger, with: newValue) }
    }

    /// Which values are shown as `<redacted>` in what Teapot writes; ``SecretPolicy/standard`` at first.
    public var secretPolicy: SecretPolicy {
        get { settings.withLock { $0.secretPolicy } }
        set { settings.withLock { $0.secretPolicy = newValue } }
    }

    /// How many bytes, decompressed, the body of a response may have; a longer one fails with `responseTooLarge`, and what is
    /// over the limit is not kept. `nil`, no limit, at first.
    public var maximumResponseSize: Int? {
        get { settings.withLock { $0.maximumResponseSize } }
        set { settings.withLock { $0.maximumResponseSize = newValue.map { max($0, 0) } } }
    }

    /// What decodes responses and error bodies where a call brings no decoder of its own; a `JSONDecoder()` at first.
    ///
    /// Set it up before the first call: Foundation's decoders do not mind being used on several threads, but being changed
    /// meanwhile.
    public var decoder: JSONDecoder {
        get { settings.withLock { $0.decoder } }
        set { replace(\.decoder, with: newValue) }
    }

    /// Header fields of all requests, such as a `User-Agent`; none at first. A request's own field replaces that of the same name,
    /// compared without regard to case.
    ///
    /// They replace those of the configuration, and go wherever a request goes but to the other origin of a redirect, which
    /// does not get the fields that ``secretPolicy`` names. A token belongs to ``plugins`` or an ``authenticator``.
    public var headerFields: [String: String] {
        get { settings.withLock { $0.headerFields } }
        set { settings.withLock { $0.headerFields = newValue } }
    }

    /// Seconds without progress after which a call fails, unless its request says otherwise: see
    /// ``Request/timeoutInterval``. 15 at first, or the `timeoutIntervalForRequest` of a configuration in which that is
    /// not Foundation's own 60.
    ///
    /// A plugin that changes the `timeoutInterval` of a request has the last word.
    public var timeoutInterval: TimeInterval {
        get { settings.withLock { $0.timeoutInterval } }
        set { settings.withLock { $0.timeoutInterval = newValue } }
    }

    /// What encodes bodies where a call brings no encoder of its own; at first one that sorts keys and leaves slashes as
    /// they are, as with dictionaries.
    public var encoder: JSONEncoder {
        get { settings.withLock { $0.encoder } }
        set { replace(\.encoder, with: newValue) }
    }

    /// What looks at requests and answers as they pass, and may change requests, in the order in which it is called; none at
    /// first.
    public var plugins: [any Plugin] {
        get { settings.withLock { $0.plugins } }
        set { replace(\.plugins, with: newValue) }
    }

    /// What gives requests a credential, and gets a new one when a server does not take it any more; `nil`, nothing, at first.
    public var authenticator: Authenticator? {
        get { settings.withLock { $0.authenticator } }
        set { replace(\.authenticator, with: newValue) }
    }

    /// Which failures are worth another attempt; `nil`, none, at first.
    public var retryPolicy: RetryPolicy? {
        get { settings.withLock { $0.retryPolicy } }
        set { replace(\.retryPolicy, with: newValue) }
    }

    var currentSettings: Settings { settings.withLock { $0 } }

    /// Sets what a caller gave. The old one goes after the lock is released: what it holds may come back here.
    private func replace<Value: Sendable>(_ setting: WritableKeyPath<Settings, Value>, with value: Value) {
        _ = settings.withLock { settings in
            defer { settings[keyPath: setting] = value }
            return settings[keyPath: setting]
        }
    }
}

extension Teapot {
    /// What may be set at any time; a call goes by what was set when it began.
    struct Settings: Sendable {
        var baseURL: URL {
            didSet { base = BaseURL(baseURL) }
        }
        /// The base URL taken apart; `nil` if it is not one.
        private(set) var base: BaseURL?
        var logger = Logger()
        var secretPolicy = SecretPolicy.standard
        var maximumResponseSize: Int?
        var decoder = JSONDecoder()
        var encoder = JSONEncoder.standard
        var plugins: [any Plugin] = []
        var authenticator: Authenticator?
        var retryPolicy: RetryPolicy?
        var headerFields: [String: String] = [:]
        var timeoutInterval: TimeInterval = 15

        init(baseURL: URL) {
            self.baseURL = baseURL
            base = BaseURL(baseURL)
        }

        /// What the path of a request is appended to; `nil` if that is not a base URL.
        func base(for request: Request) -> BaseURL? { request.baseURL.map(BaseURL.init) ?? base }

        /// In seconds; `nil` for no limit, as one of thirty years is.
        func timeout(of request: Request?) -> TimeInterval? {
            let timeout = [request?.timeoutInterval, timeoutInterval].compactMap(\.self).first { $0 > 0 } ?? 15
            return timeout < 1e9 ? timeout : nil
        }
    }
}
