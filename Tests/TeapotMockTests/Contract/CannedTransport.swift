import Teapot

/// Answers each request at once, and in the same way.
struct CannedTransport: Transport {
    func start(
        _ request: URLRequest,
        bodyFile: URL?,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        if let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
        {
            receive(.response(response))
            receive(.data(Data("tea".utf8)))
        }
        receive(.finished(nil))
        return WrongTask()
    }
}
