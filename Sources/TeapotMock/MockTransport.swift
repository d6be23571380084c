internal import Teapot

/// The transport of a ``MockTeapot``: it answers at once, on the calling thread.
final class MockTransport: Transport {
    private struct State {
        var overrides: [EndPoint] = []
        var expectedHeaders: [String: String] = [:]
        var secretPolicy: @Sendable () -> SecretPolicy = { .standard }
    }

    private let files: MockFiles
    private let filename: String?
    private let status: MockTeapot.StatusCode
    private let state = Locked(State())

    init(files: MockFiles, filename: String?, status: MockTeapot.StatusCode) {
        self.files = files
        self.filename = filename
        self.status = status
    }

    func setSecretPolicy(_ policy: @escaping @Sendable () -> SecretPolicy) {
        state.withLock { $0.secretPolicy = policy }
    }

    func override(_ endPoint: String, with filename: String) {
        state.withLock { $0.overrides.append(EndPoint(endPoint, filename: filename)) }
    }

    func expect(_ headers: [String: String]) {
        state.withLock { $0.expectedHeaders = headers }
    }

    func start(
        _ request: URLRequest,
        bodyFile: URL?,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        do {
            let (response, data) = try answer(to: request)
            let bodySize = try bodyFile.map(RegularFile.size) ?? request.httpBody?.count ?? 0
            if bodySize > 0 { receive(.sent(bodySize)) }
            receive(.response(response))
            // As over HTTP (RFC 9110, section 6.4.1).
            let hasBody = request.httpMethod != HTTPMethod.head.rawValue && ![204, 304].contains(response.statusCode)
            if hasBody, !data.isEmpty { receive(.data(data)) }
            receive(.finished(nil))
        } catch {
            receive(.finished(error))
        }
        return FinishedTask()
    }

    private func answer(to request: URLRequest) throws -> (HTTPURLResponse, Data) {
        guard let url = request.url else { throw URLError(.badURL) }
        let state = state.withLock { $0 }
        if let endPoint = EndPoint.best(of: state.overrides, for: url) {
            return try response(.ok, file: endPoint.filename, url: url)
        }
        let mismatch = HeaderMismatch(received: request.allHTTPHeaderFields ?? [:], expected: state.expectedHeaders)
        if let mismatch { throw TeapotError.incorrectHeaders(mismatch, secrets: state.secretPolicy()) }
        return try response(status, file: filename, url: url)
    }

    private func response(
        _ status: MockTeapot.StatusCode,
        file name: String?,
        url: URL
    ) throws -> (HTTPURLResponse, Data) {
        let file = try name.map { try files.file(named: $0) }
        var headers: [String: String] = [:]
        headers["Content-Type"] = file?.mediaType
        // As over HTTP (RFC 9110, section 8.6).
        if status != .noContent { headers["Content-Length"] = "\(file?.data.count ?? 0)" }
        let response = HTTPURLResponse(
            url: url,
            statusCode: status.rawValue,
            httpVersion: "HTTP/1.1",
            headerFields: headers
        )
        guard let response else { throw URLError(.badServerResponse) }
        return (response, file?.data ?? Data())
    }

    /// What is over before it could be cancelled.
    private struct FinishedTask: TransportTask {
        func cancel() {}
    }
}
