// `import Teapot` alone makes `URLSessionTask`, `HTTPURLResponse`, `Bundle` and `Data` available, on Linux too.
@_exported public import TeapotFoundation

/// A client for one API, with a base URL and verbs that call paths below it.
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
/// An async call returns or throws, and throws `cancelled` when the waiting task is cancelled. A closure call completes exactly
/// once, on the given queue or else on the default delivery queue; a cancelled one does not complete. A Teapot can be used from
/// any thread. It can be released while calls are under way: they run to completion.
///
/// A setting can be replaced at any time. A change of a part of one, as `headerFields["X-Tenant"] = "7"` or
/// `plugins.append(printer)`, reads the setting and then replaces it: if two threads do that at once, one change is lost. Make such
/// changes on one thread.
///
/// `@unchecked Sendable` is sound: every stored property is a constant of Sendable type. The compiler cannot check it because
/// the class is open; a subclass is responsible for its own properties.
open class Teapot: @unchecked Sendable {
    let transport: Indirect<any Transport>
    let time: any TimeSource
    let defaultDeliveryQueue: DispatchQueue
    private let context: Locked<Call.Context>

    /// Makes a client that talks to servers.
    ///
    /// - Parameters:
    ///   - baseURL: An http or https URL, to which paths are appended. With any other URL, each call fails with
    ///     `invalidRequestPath`.
    ///   - defaultDeliveryQueue: The queue for completions if the call names no queue.
    ///   - configuration: The session's configuration. Without one, cookies are kept in memory with this Teapot, nothing is
    ///     cached and nothing is stored on disk; with one, its cookie storage, header fields and limits apply.
    ///   - clock: The clock that measures timeouts, deadlines and delays; the system's monotonic time if `nil`.
    public init(
        baseURL: URL,
        defaultDeliveryQueue: DispatchQueue = .main,
        configuration: URLSessionConfiguration? = nil,
        clock: (any Clock<Duration>)? = nil
    ) {
        time = clock.timeSource
        self.defaultDeliveryQueue = defaultDeliveryQueue
        transport = Indirect(URLSessionTransport(configuration: configuration))
        var settings = Settings(baseURL: baseURL)
        settings.configuredHeaderFields = configuration?.headerFields ?? [:]
        if let seconds = configuration?.timeoutIntervalForRequest, seconds != 60 { settings.timeoutInterval = seconds }
        context = Locked(Call.Context(settings, cookies: CookieJar(configuration: configuration), time: time))
    }

    /// Makes a client with a transport of your own, which carries the requests. The other parameters are those of
    /// ``init(baseURL:defaultDeliveryQueue:configuration:clock:)``.
    public init(
        baseURL: URL,
        defaultDeliveryQueue: DispatchQueue = .main,
        transport: any Transport,
        clock: (any Clock<Duration>)? = nil
    ) {
        time = clock.timeSource
        self.defaultDeliveryQueue = defaultDeliveryQueue
        self.transport = Indirect(transport)
        context = Locked(Call.Context(Settings(baseURL: baseURL), cookies: CookieJar(), time: time))
    }

    /// The version of Teapot, as in `1.0.0`.
    public static let version = "1.0.0"

    /// The bundle whose `Localizable.strings` can replace Teapot's error texts; Teapot's own bundle by default. A missing key
    /// is looked up in Teapot's own strings.
    public static var localizationBundle: Bundle {
        get { LocalizedStrings.currentBundle }
        set { LocalizedStrings.currentBundle = newValue }
    }

    /// The URL to which paths are appended.
    public var baseURL: URL {
        get { currentSettings.baseURL }
        set { change { $0.baseURL = newValue } }
    }

    /// Logs requests, responses and errors; at level `none` by default.
    public var logger: Logger {
        get { currentSettings.logger }
        set { change { $0.logger = newValue } }
    }

    /// Decides which values Teapot writes as `<redacted>`; ``SecretPolicy/standard`` by default.
    public var secretPolicy: SecretPolicy {
        get { currentSettings.secretPolicy }
        set { change { $0.secretPolicy = newValue } }
    }

    /// The maximum number of bytes in a response body, decompressed; `nil`, no limit, by default. A longer body fails with
    /// `responseTooLarge`, and the bytes over the limit are discarded.
    public var maximumResponseSize: Int? {
        get { currentSettings.maximumResponseSize }
        set { change { $0.maximumResponseSize = newValue.map { max($0, 0) } } }
    }

    /// Decodes responses and error bodies where a call passes no decoder; a `JSONDecoder()` by default.
    ///
    /// Set it up before the first call: decoders can be shared between threads, but must not be modified while in use.
    public var decoder: JSONDecoder {
        get { currentSettings.decoder }
        set { change { $0.decoder = newValue } }
    }

    /// Header fields of all requests, such as `User-Agent`; none by default. A request's own field replaces one of the same
    /// name, compared without regard to case.
    ///
    /// On Linux the transports send `<program>/<version> Teapot/<version>` as `User-Agent`; an empty value here removes it.
    /// These fields replace those of the configuration. Redirects to another origin do not get the fields that ``secretPolicy`` names.
    /// For a token, use ``plugins`` or an ``authenticator``.
    public var headerFields: [String: String] {
        get { currentSettings.headerFields }
        set { change { $0.headerFields = newValue } }
    }

    /// The number of seconds without progress after which a call fails, unless its request says otherwise: see
    /// ``Request/timeoutInterval``. 15 by default, or the configuration's `timeoutIntervalForRequest` if that differs from
    /// Foundation's default of 60. Infinity means no limit; zero, negative and NaN count as 15. A plugin can override it with
    /// the `timeoutInterval` of a request.
    public var timeoutInterval: TimeInterval {
        get { currentSettings.timeoutInterval }
        set { change { $0.timeoutInterval = newValue } }
    }

    /// The maximum duration of a call, unless its request says otherwise: see ``Request/deadline``. `nil`, no limit, by default.
    public var deadline: Duration? {
        get { currentSettings.deadline }
        set { change { $0.deadline = newValue } }
    }

    /// Encodes bodies where a call passes no encoder; by default, one that sorts keys and does not escape slashes, as with
    /// dictionaries. It must not be modified while calls use it.
    public var encoder: JSONEncoder {
        get { currentSettings.encoder }
        set { change { $0.encoder = newValue } }
    }

    /// Plugins that see and can change requests, and see responses, in the order in which they are called; none by default.
    public var plugins: [any Plugin] {
        get { currentSettings.plugins }
        set { change { $0.plugins = newValue } }
    }

    /// Adds a credential to requests, and refreshes it when a server rejects it; `nil` by default.
    public var authenticator: Authenticator? {
        get { currentSettings.authenticator?.value }
        set { change { $0.authenticator = newValue.map { Indirect($0) } } }
    }

    /// Decides which failed requests are sent again; `nil`, none, by default.
    public var retryPolicy: RetryPolicy? {
        get { currentSettings.retryPolicy }
        set { change { $0.retryPolicy = newValue } }
    }

    /// Whether the transport answers on the calling thread. Completions are called there then, too, unless a call names a queue
    /// or has to wait.
    package var answersAtOnce: Bool {
        get { currentContext.settings.answersAtOnce }
        set { change { $0.answersAtOnce = newValue } }
    }

    /// Examines the responses that would be successes, unless the request does: see ``Request/validate``. `nil` by default.
    public var validate: (@Sendable (Response) throws -> Void)? {
        get { currentSettings.validate }
        set { change { $0.validate = newValue } }
    }

    /// The settings for a call that begins now.
    var currentContext: Call.Context { context.withLock { $0 } }
    var currentSettings: Settings { currentContext.settings }

    /// Changes the settings for the calls that begin from now on.
    // Compiled once, not into each setter.
    @inline(never) private func change(_ change: (inout Settings) -> Void) {
        replaceContext { old in
            var settings = old.settings
            change(&settings)
            return Call.Context(settings, cookies: old.cookies, time: time)
        }
    }

    func replaceContext(_ replace: (Call.Context) -> Call.Context) {
        // The old settings are released after the lock: the `deinit` of a user's object may call back here.
        _ = context.withLock { context in
            let old = context
            context = replace(old)
            return old
        }
    }

    /// The settings that can change at any time; a call uses those at its beginning.
    struct Settings: Sendable {
        var baseURL: URL { didSet { base = BaseURL(baseURL) } }
        /// The base URL in parts; `nil` if it is not valid.
        private(set) var base: BaseURL?
        var logger = Logger()
        var secretPolicy = SecretPolicy.standard
        var maximumResponseSize: Int?
        var decoder = JSONDecoder()
        var encoder = JSONEncoder.standard
        var plugins: [any Plugin] = []
        var authenticator: Indirect<Authenticator>?
        var retryPolicy: RetryPolicy?
        var validate: (@Sendable (Response) throws -> Void)?
        var headerFields: [String: String] = [:]
        var configuredHeaderFields: [String: String] = [:]
        var timeoutInterval: TimeInterval = 15
        var deadline: Duration?
        var answersAtOnce = false

        @inline(never) init(baseURL: URL) {
            self.baseURL = baseURL
            base = BaseURL(baseURL)
        }
    }
}

extension Teapot: CustomReflectable {
    /// The base URL, for `dump`: settings, cookies and plugins may contain secrets.
    public var customMirror: Mirror {
        let settings = currentSettings
        let children: KeyValuePairs<String, Any> = ["baseURL": settings.secretPolicy.redacted(settings.baseURL)]
        // The mirror of a subclass would show the properties of this class.
        return Mirror(self, children: children, displayStyle: .class, ancestorRepresentation: .suppressed)
    }
}
