internal import TeapotFoundation

/// One request and its response, of those that a call may take (RFC 9110, section 3.4).
///
/// `@unchecked Sendable` is sound: its variables are read and written only under the lock of its call.
final class Exchange: @unchecked Sendable {
    /// A request that is to be sent.
    struct Plan: Sendable {
        var request: URLRequest
        var bodyFile: BodyFile?
        /// Whether the request that the attempt began with may be sent twice.
        var isIdempotent = false
        /// The redirects that led to it, in this attempt.
        var redirects = 0
        /// What the authenticator gave it.
        var issued: Authenticator.Issued?
        /// Those that are in use, whatever gave them.
        var credentials: [Credential] = []

        /// What the authenticator gave it, unless it went another way: to another origin, or by a plugin.
        var issuedInUse: Authenticator.Issued? {
            issued.flatMap { issued in
                let (name, value) = (issued.credential.name, issued.credential.value)
                return request.value(forHTTPHeaderField: name) == value ? issued : nil
            }
        }
    }

    /// Whether the sink has taken anything of the body, or is just at it.
    enum SinkUse: Sendable {
        case none
        case before
        case now
    }

    /// What an exchange came to.
    struct End: Sendable {
        let exchange: Exchange
        let plan: Plan
        let response: HTTPURLResponse?
        let data: Data
        let error: (any Error)?
        let timings: Teapot.Timings
        let sinkUse: SinkUse
        /// What the plugins have still to see the end of.
        let sent: Teapot.SentRequest?
        /// The transport's task.
        let task: (any TransportTask)?
        /// Whether Teapot ended the exchange, so that the transport is still at it.
        let isPremature: Bool
        /// Of the call so far: the attempts, those of them that the retry policy no longer counts, the credentials that were in
        /// use, and whether the server did not take one.
        let attempts: Int
        let attemptsBeforeProgress: Int
        let credentials: [Credential]
        let wasRejected: Bool
    }

    /// The number of its request: see ``Teapot/Teapot/SentRequest``.
    let id: Int
    /// When it began, in the time of the call.
    private let start: Duration

    private(set) var plan: Plan
    /// Of the request, in bytes.
    let bodySize: Int
    /// When there was progress last, in the time of the call.
    var lastProgress: Duration
    var task: (any TransportTask)?
    /// What the plugins saw of the request, until they see what came of it.
    var sent: Teapot.SentRequest?
    var response: HTTPURLResponse?
    var data = Data()
    var bytesSent = 0
    var bytesReceived = 0
    var sinkUse = SinkUse.none
    /// What the transport has measured.
    var timings = Teapot.Timings()
    /// Whether the transport was asked to hold back the body.
    var isHeldBack = false
    /// Whether the transport has reported the end.
    var isOver = false

    init(_ plan: Plan, at now: Duration) {
        self.plan = plan
        id = Teapot.SentRequest.nextID()
        start = now
        bodySize = plan.request.httpBody?.count ?? plan.bodyFile?.size ?? 0
        lastProgress = now
    }

    /// What the log says of the exchange in each entry.
    func mark(_ now: Duration) -> String { "(#\(id), \((now - start).milliseconds) ms)" }

    /// Lets go of all but what the caller's task shows: the transport may keep its closure for longer.
    func letGo() {
        plan = Plan(request: plan.request)
        (task, sent, data) = (nil, nil, Data())
    }
}
