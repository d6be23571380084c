import Teapot

/// The response to a request, made from a ``MockResponse``: the events of a transport.
struct MockAnswer: Sendable {
    private let response: HTTPURLResponse?
    private let error: URLError?
    private let pieces: [Data]
    private let isEndless: Bool

    /// - Throws: `missingMockFile` or `invalidMockFile` for a file, unless the status is 300 or more; the error of a recorded
    ///   response that cannot be given.
    init(_ mock: MockResponse, to request: RecordedRequest, files: MockFiles, heads: ResponseHead.Cache) throws {
        error = mock.error
        guard !mock.isWithoutResponse else {
            response = nil
            pieces = []
            isEndless = mock.isEndless
            return
        }
        let (body, mediaType): (Data, String?) =
            switch mock.content {
            case .none: (Data(), nil)
            case .data(let data, let mediaType): (data, mediaType)
            case .recorded(let data): (data, nil)
            case .unusable(let error): throw error
            case .file(let name):
                // A test of a failure needs the status only.
                if mock.status.rawValue >= 300 {
                    (try? files.file(named: name)) ?? (Data(), nil)
                } else {
                    try files.file(named: name)
                }
            }
        let head = ResponseHead(
            url: request.url,
            status: mock.status,
            mediaType: mediaType,
            // As over HTTP (RFC 9110, section 8.6).
            length: mock.status == .noContent || mock.isRecorded || mock.isEndless ? nil : body.count,
            headerFields: mock.headerFields,
            cookies: mock.cookies
        )
        guard let response = heads.value(for: head, make: head.makeResponse) else {
            throw URLError(.badServerResponse)
        }
        self.response = response
        // As over HTTP (RFC 9110, section 6.4.1).
        let hasBody = request.method != .head && ![.noContent, .notModified].contains(head.status)
        pieces = !hasBody ? [] : mock.pieces.isEmpty ? [body] : mock.pieces
        isEndless = mock.isEndless && hasBody
    }

    /// The events of the answer by time after the start; `nil` if it comes at once.
    func schedule(after delay: Duration, every interval: Duration) -> (events: [[TransportEvent]], times: [Duration])? {
        guard delay > .zero || interval > .zero || isEndless else { return nil }
        // The first piece comes with the header.
        var steps = pieces.map { $0.isEmpty ? [] : [TransportEvent.data($0)] }
        if steps.isEmpty { steps = [[]] }
        if let response { steps[0].insert(.response(response), at: 0) }
        if !isEndless { steps[steps.count - 1].append(.finished(error)) }
        return (steps, steps.indices.map { delay + interval * $0 })
    }

    var hasResponse: Bool { response != nil }

    func report(_ receive: @Sendable (TransportEvent) -> Void) {
        if let response { receive(.response(response)) }
        for piece in pieces where !piece.isEmpty { receive(.data(piece)) }
        receive(.finished(error))
    }
}

/// The parts of an `HTTPURLResponse`.
///
/// Foundation needs a quarter of the time of a mocked call to make one, so a mock keeps them.
struct ResponseHead: Hashable {
    typealias Cache = BoundedCache<ResponseHead, HTTPURLResponse?>

    let url: URL
    let status: MockTeapot.StatusCode
    let mediaType: String?
    /// The number of bytes in the body.
    let length: Int?
    /// Header fields that are added to `Content-Type` and `Content-Length`, or replace them.
    let headerFields: [String: String]
    /// The `Set-Cookie` fields, if they are known separately.
    let cookies: [String]

    /// `nil` if Foundation cannot make one.
    func makeResponse() -> HTTPURLResponse? {
        var fields = headerFields
        if fields[field: "Content-Type"] == nil { fields["Content-Type"] = mediaType }
        if fields[field: "Content-Length"] == nil { fields["Content-Length"] = length.map { "\($0)" } }
        return CookieResponse.make(
            url: url,
            statusCode: status.rawValue,
            httpVersion: "HTTP/1.1",
            headerFields: fields,
            cookies: cookies
        )
    }
}
