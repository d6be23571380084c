import Teapot

/// The response to a request, made from a ``MockResponse``: the events of a transport.
struct MockAnswer: Sendable {
    private let head: ResponseHead?
    private let error: URLError?
    private let pieces: [Data]
    private let isEndless: Bool

    /// - Throws: `missingMockFile` or `invalidMockFile` for a file, unless the status is 300 or more; the error of a recorded
    ///   response that cannot be given.
    init(_ mock: borrowing MockResponse, to request: borrowing RecordedRequest, files: MockFiles) throws {
        error = mock.error
        guard !mock.isWithoutResponse else {
            head = nil
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
        var lines = FieldLines(mock.headerFields)
        let hasCookies = !mock.cookies.isEmpty
        if hasCookies { lines.replace("Set-Cookie", with: mock.cookies) }
        if let mediaType, !lines.contains("Content-Type") { lines.append("Content-Type", mediaType) }
        // As over HTTP (RFC 9110, section 8.6). A body that breaks off has another length.
        let hasLength = mock.status != .noContent && !mock.isRecorded && !mock.isEndless && mock.error == nil
        if hasLength, !lines.contains("Content-Length") { lines.append("Content-Length", "\(body.count)") }
        let status = mock.status.rawValue
        head = ResponseHead(url: request.url, status: status, lines: lines, hasSeparateCookies: hasCookies)
        // As over HTTP (RFC 9110, section 6.4.1).
        let hasBody = request.method != .head && ![.noContent, .notModified].contains(mock.status)
        pieces = !hasBody ? [] : mock.pieces.isEmpty ? [body] : mock.pieces
        isEndless = mock.isEndless && hasBody
    }

    /// The events of the answer by time after the start; `nil` if it comes at once.
    func schedule(after delay: Duration, every interval: Duration) -> (events: [[TransportEvent]], times: [Duration])? {
        guard delay > .zero || interval > .zero || isEndless else { return nil }
        var (steps, times) = ([[TransportEvent]](), [Duration]())
        // The first piece comes with the header.
        var step = head.map { [TransportEvent(.response($0))] } ?? []
        for index in 0..<max(pieces.count, 1) {
            if index < pieces.count, isReported(pieces[index]) { step.append(.data(pieces[index])) }
            if !isEndless, index + 1 >= pieces.count { step.append(.finished(error)) }
            steps.append(step)
            times.append(delay + interval * index)
            step = []
        }
        return (steps, times)
    }

    var hasResponse: Bool { head != nil }

    /// A body of no bytes is reported only if it was compressed: it would count as cut off.
    private func isReported(_ piece: Data) -> Bool { !piece.isEmpty || head?.field("Content-Encoding") != nil }

    func report(_ receive: @Sendable (TransportEvent) -> Void) {
        if let head { receive(TransportEvent(.response(head))) }
        for piece in pieces where isReported(piece) { receive(.data(piece)) }
        receive(.finished(error))
    }
}
