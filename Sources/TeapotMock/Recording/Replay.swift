internal import Teapot

/// The responses of a mock that replays a recording.
struct Replay: Sendable {
    /// The scheme, host and port of the first request.
    let baseURL: URL
    /// One for each request, with its responses in order.
    let overrides: [Override]

    /// - Parameter file: An archive.
    /// - Throws: `missingMockFile`, or `invalidMockFile` if it is not a valid archive, or has no http or https URL.
    init(_ file: URL) throws(TeapotError) {
        let name = file.lastPathComponent
        var groups: [(key: RecordedKey, answers: [Result<MockResponse, TeapotError>], first: Int)] = []
        var numbers: [RecordedKey: Int] = [:]
        var baseURL: URL?
        for (index, entry) in try HAR.read(file).log.entries.enumerated() {
            guard let url = RecordedURL(entry.request.url) else { continue }
            guard let method = HTTPMethod(rawValue: entry.request.method) else {
                throw .invalidMockFile(name, reason: "$.log.entries[\(index)].request.method is not a valid method")
            }
            baseURL = baseURL ?? URL(string: HARURL.origin(of: entry.request.url))
            let key = RecordedKey(method: method, url: url, body: entry.request.recordedBody)
            let answer = entry.answer { "entry \(index + 1): \($0)" }
                .mapError { TeapotError.invalidMockFile(name, reason: $0.description) }
            if let number = numbers[key] {
                groups[number].answers.append(answer)
            } else {
                numbers[key] = groups.count
                groups.append((key, [answer], index + 1))
            }
        }
        guard let baseURL else {
            throw .invalidMockFile(name, reason: "no entry has an http or https URL")
        }
        self.baseURL = baseURL
        overrides = groups.map {
            Override($0.key, .recorded($0.answers), at: .recording(file: name, entry: $0.first))
        }
    }
}

extension HARRequest {
    /// The request's body to match; `nil` for any. The boundary of a multipart form is different each time.
    fileprivate var recordedBody: Data? {
        guard let postData, let text = postData.text, !postData.mimeType.lowercased().hasPrefix("multipart/") else {
            return nil
        }
        return postData.encoding == "base64" ? Data(base64Encoded: text) : Data(text.utf8)
    }
}

extension HAREntry {
    /// The response, or the reason why there is none; `place` adds the place to a reason.
    fileprivate func answer(_ place: (String) -> String) -> Result<MockResponse, FailureReason> {
        let error = response.error.map { URLError(HARError.code(of: $0)) }
        guard response.status != 0 else { return .success(.failure(error ?? URLError(.unknown))) }
        let content = response.content
        var body = Data(content.text?.utf8 ?? "".utf8)
        if content.encoding == "base64" {
            guard let data = Data(base64Encoded: body, options: .ignoreUnknownCharacters) else {
                return .failure(FailureReason(place("its body is not valid Base64")))
            }
            body = data
        }
        // An unused body can be missing: that of a redirect, or of a response without one (RFC 9110, section 6.4.1).
        let needsBody =
            error == nil && !(300..<400).contains(response.status) && response.status != 204 && request.method != "HEAD"
        if content.text == nil, content.size > 0, needsBody {
            let reason = content.comment ?? "\(counted(content.size, "byte")) were not saved"
            return .failure(FailureReason(place("its body is missing: \(reason)")))
        }
        return .success(.recorded(body, status: response.status, headerFields: response.headers.joined, error: error))
    }
}

extension [HARField] {
    /// The fields by name: repeated ones joined with commas (RFC 9110, section 5.3), without HTTP/2's names with a colon.
    fileprivate var joined: [String: String] {
        let fields = filter { !$0.name.hasPrefix(":") }
        return Dictionary(grouping: fields) { $0.name.lowercased() }.values.reduce(into: [:]) { result, fields in
            guard let name = fields.first?.name else { return }
            // Chrome puts several cookies in one field, separated by line breaks.
            result[name] = fields.map { $0.value.replacing("\n", with: ", ") }.joined(separator: ", ")
        }
    }
}
