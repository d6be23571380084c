import Teapot

/// An exchange while it is recorded.
struct RecordedExchange: Sendable {
    var method: String
    var url: String
    /// The base URL of the client; empty if unknown.
    var baseURL: String
    var requestFields: [HARField]
    var requestBody: RecordedBody?
    /// `nil` for no response.
    private(set) var status: Int?
    var responseFields: [HARField] = []
    var responseBody = RecordedBody.bytes(Data())
    private(set) var error: String?
    /// The secrets of the client.
    let secrets: SecretPolicy
    /// The credentials in use.
    let credentials: [Credential]

    /// The file of the request's body is read at once.
    init(_ sent: TransportRequest) {
        let request = sent.urlRequest
        secrets = sent.secrets
        credentials = sent.credentials
        method = request.httpMethod ?? "GET"
        url = request.url?.absoluteString ?? ""
        baseURL = sent.baseURL?.absoluteURL.withoutUserInformation.absoluteString ?? ""
        requestFields = (request.allHTTPHeaderFields ?? [:]).map { HARField($0.key, $0.value) }.sortedFields
        requestBody = request.httpBody.map(RecordedBody.bytes)
        if let pieces = sent.bodyPieces {
            let reason = "it was an AsyncSequence, which can be read only once"
            requestBody = .leftOut(size: pieces.length ?? 0, reason: reason)
        }
        if let bodyFile = sent.bodyFile {
            let data = try? Data(contentsOf: bodyFile)
            requestBody = data.map(RecordedBody.bytes) ?? .leftOut(size: 0, reason: "the file could not be read")
        }
    }

    /// - Returns: Whether the exchange is over, and was not cancelled.
    mutating func take(_ event: TransportEvent) -> Bool {
        switch event.kind {
        case .sent, .measured, .queued, .scheduled: break
        case .response(let head):
            status = head.status
            responseFields = []
            for field in head.http.allHeaderFields.map({ HARField("\($0.key)", "\($0.value)") }).sortedFields {
                let name = field.name.lowercased()
                if name == "set-cookie" {
                    responseFields += head.setCookieFields.map { HARField(field.name, $0) }
                } else if !Self.changing.contains(name) {
                    responseFields.append(field)
                }
            }
        case .data(let data): responseBody.append(data)
        case .finished(let error):
            self.error = error.map(HARError.text)
            return !Self.isCancellation(error)
        }
        return false
    }

    /// The fields that differ each time for the same response.
    private static let changing = [
        "date", "age", "server-timing", "x-request-id", "x-response-time", "x-runtime", "x-trace-id",
    ]

    private static func isCancellation(_ error: (any Error)?) -> Bool {
        (error as? URLError)?.code == .cancelled || (error as? TeapotError)?.type == .cancelled
            || error is CancellationError
    }
}

extension RecordedExchange {
    mutating func redact(_ redactor: inout RecordingRedactor) {
        redactor.isInResponse = false
        url = redactor.url(url)
        baseURL = redactor.url(baseURL)
        requestBody = requestBody.map { $0.redacted(&redactor, mediaType: requestFields.mediaType) }
        for index in requestFields.indices { redactor.redact(&requestFields[index]) }
        redactor.isInResponse = true
        responseBody = responseBody.redacted(&redactor, mediaType: responseFields.mediaType)
        for index in responseFields.indices { redactor.redact(&responseFields[index]) }
    }

    /// Leaves out the request's body if it is compressed or otherwise encoded, and so cannot be redacted.
    mutating func leaveOutEncodedBody() {
        guard case .bytes(let data)? = requestBody, let encoding = requestFields.value("Content-Encoding"),
            encoding.lowercased() != "identity"
        else { return }
        requestBody = .leftOut(size: data.count, reason: "it is encoded (\(encoding)), so it may contain secrets")
    }

    var entry: HAREntry {
        let postData = requestBody?.written(mediaType: requestFields.mediaType)
        let content = responseBody.written(mediaType: responseFields.mediaType)
        return HAREntry(
            request: HARRequest(method: method, url: url, headers: requestFields, postData: postData),
            response: HARResponse(status: status ?? 0, headers: responseFields, content: content, error: error)
        )
    }
}
