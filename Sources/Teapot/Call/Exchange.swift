import TeapotFoundation

/// One request and its response; a call may take several (RFC 9110, section 3.4).
///
/// `@unchecked Sendable` is sound: its variables are read and written only under the lock of its call.
final class Exchange: @unchecked Sendable {
    /// A request to send.
    struct Plan: Sendable {
        var request: URLRequest
        var bodyFile: BodyFile?
        /// Whether the first request of the attempt may be sent twice.
        var isIdempotent = false
        /// The number of redirects that led to it in this attempt.
        var redirects = 0
        /// The authenticator's credential.
        var issued: Authenticator.Issued?
        /// All credentials in use, whatever their source.
        var credentials: [Credential] = []

        /// The authenticator's credential, unless the request went to another origin or a plugin replaced it.
        var issuedInUse: Authenticator.Issued? {
            issued.flatMap { issued in
                let (name, value) = (issued.credential.name, issued.credential.value)
                return request.value(forHTTPHeaderField: name) == value ? issued : nil
            }
        }
    }

    /// Whether the sink has used any of the body, or is using it now.
    enum SinkUse: Sendable {
        case none
        case before
        case now
    }

    /// The result of an exchange.
    struct End: Sendable {
        let exchange: Exchange
        let plan: Plan
        let response: HTTPURLResponse?
        let data: Data
        let error: (any Error)?
        let timings: Teapot.Timings
        let sinkUse: SinkUse
        /// The request whose outcome the plugins have not seen yet.
        let sent: Teapot.SentRequest?
        /// The transport's task.
        let task: (any TransportTask)?
        /// Whether Teapot ended the exchange while the transport was still working on it.
        let isPremature: Bool
        let history: Call.History
    }

    /// The number of its request: see ``Teapot/Teapot/SentRequest``.
    let id: Int
    /// When it began, in the time of the call.
    private let start: Duration

    /// Its request, and until the end what is needed to send it again. What is sent is a copy, which nothing changes.
    private(set) var plan: Plan
    /// Of the request, in bytes.
    let bodySize: Int
    /// The time of the last progress.
    var lastProgress: Duration
    var task: (any TransportTask)?
    /// The request as the plugins saw it, until they see its outcome.
    var sent: Teapot.SentRequest?
    var response: HTTPURLResponse?
    var data = Data()
    var bytesSent = 0
    var bytesReceived = 0
    var sinkUse = SinkUse.none
    /// The transport's measurements.
    var timings = Teapot.Timings()
    /// Whether the transport was asked to pause the body.
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

    /// The mark of the exchange in each log entry.
    func mark(_ now: Duration) -> String { "(#\(id), \((now - start).milliseconds) ms)" }

    /// Releases everything but what the caller's task shows: the transport may keep its closure for longer.
    func letGo() {
        plan = Plan(request: plan.request)
        (task, sent, data) = (nil, nil, Data())
    }
}
