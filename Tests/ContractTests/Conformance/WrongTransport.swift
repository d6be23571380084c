import Teapot

/// A transport that would be right, were it not for what it does with each exchange.
struct WrongTransport: Transport {
    typealias Receive = @Sendable (TransportEvent) -> Void

    private let base = URLSessionTransport()
    private let begin: @Sendable (any Transport, URLRequest, URL?, @escaping Receive) -> any TransportTask

    init(
        _ begin: @escaping @Sendable (any Transport, URLRequest, URL?, @escaping Receive) -> any TransportTask
    ) {
        self.begin = begin
    }

    func start(_ request: URLRequest, bodyFile: URL?, receive: @escaping Receive) -> any TransportTask {
        begin(base, request, bodyFile, receive)
    }
}

/// A task that does what it is told to.
struct WrongTask: TransportTask {
    var onCancel: @Sendable () -> Void = {}
    var onSuspend: @Sendable () -> Void = {}

    func cancel() { onCancel() }
    func suspend() { onSuspend() }
}

extension HTTPURLResponse {
    /// The same with another status, URL or header fields.
    func with(status: Int? = nil, url: URL? = nil, change: (inout [String: String]) -> Void = { _ in })
        -> HTTPURLResponse
    {
        var fields: [String: String] = [:]
        for (name, value) in HeaderFields(self) { fields[name] = value }
        change(&fields)
        return HTTPURLResponse(
            url: url ?? self.url ?? URL(filePath: "/"),
            statusCode: status ?? statusCode,
            httpVersion: "HTTP/1.1",
            headerFields: fields
        ) ?? self
    }
}
