import Teapot

/// A transport of one's own: it answers each request at once, with the same body or the same error.
struct CannedTransport: Transport {
    let answer: Result<Data, URLError>

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        do {
            let body = try answer.get()
            guard
                let url = request.urlRequest.url,
                let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil)
            else { throw URLError(.badURL) }
            receive(.response(response))
            receive(.data(body))
            receive(.finished(nil))
        } catch {
            receive(.finished(error))
        }
        return nil
    }
}
