import Teapot
import Testing

/// One thing that a transport does wrong.
struct Defect: Sendable, CustomTestStringConvertible {
    let name: String
    /// How the names of the rows begin that have to say so.
    let rows: [String]
    /// Short where the defect is that something never happens.
    let limit: Duration
    let makeTransport: @Sendable () -> WrongTransport

    var testDescription: String { name }

    private init(
        _ name: String,
        _ rows: [String],
        limit: Duration = .seconds(30),
        _ makeBegin: @escaping @Sendable () -> WrongTransport.Begin
    ) {
        (self.name, self.rows, self.limit) = (name, rows, limit)
        makeTransport = { WrongTransport(makeBegin()) }
    }

    /// A defect of what is sent.
    private static func request(
        _ name: String,
        _ rows: [String],
        _ change: @escaping @Sendable (inout URLRequest) -> Void
    ) -> Defect {
        Defect(name, rows) {
            return { base, request, file, receive in
                var request = request
                change(&request)
                return base.start(request, bodyFile: file, receive: receive)
            }
        }
    }

    /// A defect of what is reported: makes other events of each.
    private static func events(
        _ name: String,
        _ rows: [String],
        _ change: @escaping @Sendable (TransportEvent, URLRequest) -> [TransportEvent]
    ) -> Defect {
        Defect(name, rows) {
            return { base, request, file, receive in
                base.start(request, bodyFile: file) { change($0, request).forEach(receive) }
            }
        }
    }
}

extension Defect {
    static let all = reported + sent + cancelled

    /// Defects of events, responses and their bodies.
    private static let reported: [Defect] = [
        .events("finishes twice", ["an exchange ends"]) { event, _ in
            if case .finished = event { [event, event] } else { [event] }
        },
        .events("reports a piece before the response", ["a response comes"]) { event, _ in
            if case .response = event { [.data(Data("early".utf8)), event] } else { [event] }
        },
        Defect("reports on a thread for each piece", ["events"]) {
            return { base, request, file, receive in
                base.start(request, bodyFile: file) { event in
                    if case .data = event { Thread.detachNewThread { receive(event) } }
                    receive(event)
                }
            }
        },
        .events("counts more than was sent", ["what is said"]) { event, _ in
            if case .response = event { [.sent(1), event] } else { [event] }
        },
        .events("responds to itself", ["a refused"]) { event, request in
            if case .finished(.some) = event { [response(to: request, 502), event] } else { [event] }
        },
        .events(
            "answers 200 for everything, in another name",
            [
                "a status", "a 401", "a response names", "header fields of a response", "a response to HEAD",
                "a Teapot follows", "a Teapot keeps cookies",
            ]
        ) { event, _ in
            if case .response = event { [response(to: URLRequest(url: URL(filePath: "/")), 200)] } else { [event] }
        },
        Defect("follows redirects", ["a redirect"]) {
            return { base, request, file, receive in
                base.start(request, bodyFile: file) { event in
                    guard case .response(let response) = event, let place = HeaderFields(response)["Location"],
                        let url = URL(string: place, relativeTo: request.url)
                    else { return receive(event) }
                    _ = base.start(URLRequest(url: url), bodyFile: nil, receive: receive)
                }
            }
        },
        Defect("keeps cookies", ["cookies"]) {
            let cookie = Locked<String?>(nil)
            return { base, request, file, receive in
                var request = request
                if let kept = cookie.withLock({ $0 }) { request.setValue(kept, forHTTPHeaderField: "Cookie") }
                return base.start(request, bodyFile: file) { event in
                    if case .response(let response) = event, let field = HeaderFields(response)["Set-Cookie"] {
                        cookie.withLock { $0 = field.components(separatedBy: ";").first }
                    }
                    receive(event)
                }
            }
        },
        .events(
            "drops the bodies of errors",
            ["an error arrives", "an error of the server"]
        ) { event, request in
            if case .data = event, request.url?.path().hasPrefix("/status/") == true { [] } else { [event] }
        },
        .events(
            "cuts off the first byte that comes",
            ["a body is", "a body in chunks", "gzip", "a Teapot downloads", "a Teapot reads", "a Teapot loads"]
        ) { event, _ in
            if case .data(let data) = event { [.data(data.dropFirst())] } else { [event] }
        },
    ]

    /// Defects of requests and their bodies.
    private static let sent: [Defect] = [
        .request(
            "takes methods that it does not know for GET",
            ["the method", "a method", "a Teapot sends"]
        ) {
            if !["GET", "HEAD", "POST"].contains($0.httpMethod) { $0.httpMethod = "GET" }
        },
        .request("tidies URLs", ["a path", "a query"]) {
            let text = $0.url?.absoluteString.replacing("%25", with: "%2525").replacing("&&", with: "&")
            $0.url = text.flatMap(URL.init(string:))
        },
        .request(
            "drops header fields",
            ["header fields arrive", "odd", "an Authorization", "a header field", "a Cookie", "a body arrives"]
        ) {
            for name in ($0.allHTTPHeaderFields ?? [:]).keys { $0.setValue(nil, forHTTPHeaderField: name) }
        },
        .request("sends a body where there is none", ["a request"]) {
            if $0.httpBody == nil, $0.httpMethod == "POST" { $0.httpBody = Data("null".utf8) }
        },
        .request(
            "cuts off the last byte that it sends",
            ["a body in memory", "POST", "a body of"]
        ) {
            $0.httpBody = $0.httpBody?.dropLast()
        },
        Defect("does not send files", ["a body in a file", "a Teapot uploads"]) {
            return { base, request, _, receive in base.start(request, bodyFile: nil, receive: receive) }
        },
        Defect("mixes exchanges", ["50"]) {
            let waiting = Locked<(URLRequest, WrongTransport.Receive)?>(nil)
            return { base, request, file, receive in
                let other = waiting.withLock { waiting in
                    defer { waiting = waiting == nil ? (request, receive) : nil }
                    return waiting
                }
                // Each gets what the other asked for.
                if let other {
                    _ = base.start(request, bodyFile: file, receive: other.1)
                    _ = base.start(other.0, bodyFile: nil, receive: receive)
                }
                return WrongTask()
            }
        },
    ]

    /// Defects of cancelling and of holding back.
    private static let cancelled: [Defect] = [
        Defect(
            "does not cancel",
            [
                "cancelling before", "a body comes", "a call of a Teapot that is cancelled",
                "a call of a Teapot that times out",
            ],
            limit: .milliseconds(300)
        ) {
            return { base, request, file, receive in
                _ = base.start(request, bodyFile: file, receive: receive)
                return WrongTask()
            }
        },
        Defect("ends with each cancelling", ["cancelling after", "cancelling many times"]) {
            return { base, request, file, receive in
                let task = base.start(request, bodyFile: file, receive: receive)
                return WrongTask(onCancel: {
                    task.cancel()
                    receive(.finished(URLError(.cancelled)))
                })
            }
        },
        Defect("cancels all exchanges", ["cancelling one"]) {
            let tasks = Locked<[any TransportTask]>([])
            return { base, request, file, receive in
                let task = base.start(request, bodyFile: file, receive: receive)
                tasks.withLock { $0.append(task) }
                return WrongTask(onCancel: { tasks.withLock { $0 }.forEach { $0.cancel() } })
            }
        },
        Defect("does not go on once it was held back", ["an exchange that is held back"], limit: .milliseconds(300)) {
            return { base, request, file, receive in
                let isHeldBack = Locked(false)
                _ = base.start(request, bodyFile: file) { event in
                    if !isHeldBack.withLock({ $0 }) { receive(event) }
                }
                return WrongTask(onSuspend: { isHeldBack.withLock { $0 = true } })
            }
        },
    ]

    private static func response(to request: URLRequest, _ status: Int) -> TransportEvent {
        let url = request.url ?? URL(filePath: "/")
        return HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
            .map { .response($0) } ?? .finished(nil)
    }
}
