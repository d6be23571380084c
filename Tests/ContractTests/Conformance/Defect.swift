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
            return { base, request, receive in
                var request = request
                change(&request.urlRequest)
                return base.start(request, receive: receive)
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
            return { base, request, receive in
                base.start(request) { change($0, request.urlRequest).forEach(receive) }
            }
        }
    }
}

extension Defect {
    static let all = reported + sent + cancelled

    /// Defects of events, responses and their bodies.
    private static let reported: [Defect] = [
        .events("finishes twice", ["an exchange ends"]) { event, _ in
            if event.isFinished { [event, event] } else { [event] }
        },
        .events("reports a piece before the response", ["a response comes"]) { event, _ in
            if event.response != nil { [.data(Data("early".utf8)), event] } else { [event] }
        },
        Defect("reports on a thread for each piece", ["events"]) {
            return { base, request, receive in
                base.start(request) { event in
                    if event.data != nil { Thread.detachNewThread { receive(event) } }
                    receive(event)
                }
            }
        },
        .events("counts more than was sent", ["what is said"]) { event, _ in
            if event.response != nil { [.sent(1), event] } else { [event] }
        },
        .events("responds to itself", ["a refused"]) { event, request in
            if event.error != nil { [response(to: request, 502), event] } else { [event] }
        },
        .events(
            "answers 200 for everything, in another name",
            [
                "a status", "a 401", "a response names", "header fields of a response", "a response to HEAD",
                "a Teapot follows", "a Teapot keeps cookies",
            ]
        ) { event, _ in
            if event.response != nil { [response(to: URLRequest(url: URL(filePath: "/")), 200)] } else { [event] }
        },
        Defect("follows redirects", ["a redirect"]) {
            return { base, request, receive in
                base.start(request) { event in
                    guard let response = event.response, let place = HeaderFields(response)["Location"],
                        let url = URL(string: place, relativeTo: request.urlRequest.url)
                    else { return receive(event) }
                    _ = base.start(TransportRequest(URLRequest(url: url)), receive: receive)
                }
            }
        },
        Defect("keeps cookies", ["cookies"]) {
            let cookie = Locked<String?>(nil)
            return { base, request, receive in
                var request = request
                if let kept = cookie.withLock({ $0 }) {
                    request.urlRequest.setValue(kept, forHTTPHeaderField: "Cookie")
                }
                return base.start(request) { event in
                    if let response = event.response, let field = HeaderFields(response)["Set-Cookie"] {
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
            if event.data != nil, request.url?.path().hasPrefix("/status/") == true { [] } else { [event] }
        },
        .events(
            "cuts off the first byte that comes",
            ["a body is", "a body in chunks", "gzip", "a Teapot downloads", "a Teapot reads", "a Teapot loads"]
        ) { event, _ in
            if let data = event.data { [.data(data.dropFirst())] } else { [event] }
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
            return { base, request, receive in base.start(TransportRequest(request.urlRequest), receive: receive) }
        },
        Defect("mixes exchanges", ["50"]) {
            let waiting = Locked<WaitingExchange?>(nil)
            return { base, request, receive in
                let other = waiting.withLock { waiting in
                    let other = waiting
                    waiting = other == nil ? WaitingExchange(request: request, receive: receive) : nil
                    return other
                }
                // Each gets what the other asked for.
                if let other {
                    _ = base.start(request, receive: other.receive)
                    _ = base.start(other.request, receive: receive)
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
            return { base, request, receive in
                _ = base.start(request, receive: receive)
                return WrongTask()
            }
        },
        Defect("ends with each cancelling", ["cancelling after", "cancelling many times"]) {
            return { base, request, receive in
                let task = base.start(request, receive: receive)
                return WrongTask(onCancel: {
                    task?.cancel()
                    receive(.finished(URLError(.cancelled)))
                })
            }
        },
        Defect("cancels all exchanges", ["cancelling one"]) {
            let tasks = Locked<[any TransportTask]>([])
            return { base, request, receive in
                let task = base.start(request, receive: receive)
                if let task { tasks.withLock { $0.append(task) } }
                return WrongTask(onCancel: { tasks.withLock { $0 }.forEach { $0.cancel() } })
            }
        },
        Defect("does not go on once it was held back", ["an exchange that is held back"], limit: .milliseconds(300)) {
            return { base, request, receive in
                let isHeldBack = Locked(false)
                _ = base.start(request) { event in
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

/// An exchange that waits for another one.
private struct WaitingExchange {
    let request: TransportRequest
    let receive: WrongTransport.Receive
}
