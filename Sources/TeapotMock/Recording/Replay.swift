import Teapot

/// The responses of a mock that replays a recording.
struct Replay: Sendable {
    /// The base URL of the recorded client, or else the scheme, host and port of the first request.
    let baseURL: URL
    /// One for each request, with its responses in order.
    let overrides: [Override]
    let archive: HAR
    /// The values of the placeholders that are known so far.
    let values = Locked(SecretsOfReplay())

    /// - Throws: `missingMockFile`, or `invalidMockFile` if it is not a valid archive, or has no http or https URL.
    init(_ file: URL) throws(TeapotError) {
        let name = file.lastPathComponent
        archive = try HAR.read(file)
        // The entries with equal requests are a group with the number of the first.
        var groups: [(key: RecordedKey, responses: [MockResponse], number: Int)] = []
        var groupsByID: [String: Int] = [:]
        var baseURL = URL(string: archive.baseURL ?? "")
        if let url = baseURL, Origin(url) == nil { baseURL = nil }
        for (index, entry) in archive.entries.enumerated() {
            guard let url = RecordedURL(entry.request.url) else { continue }
            guard let method = Teapot.HTTPMethod(rawValue: entry.request.method) else {
                throw .invalidMockFile(name, reason: "$.log.entries[\(index)].request.method is not a valid method")
            }
            if baseURL == nil { baseURL = URL(string: HARURL.origin(of: entry.request.url)) }
            let place = "entry \(index + 1): "
            guard let body = entry.request.recordedBody else {
                let reason = entry.request.postData?.undecodable ?? ""
                throw .invalidMockFile(name, reason: place + "the body of its request is " + reason)
            }
            let key = RecordedKey(method: method, url: url, body: body, values)
            let response = entry.mockResponse { .invalidMockFile(name, reason: place + "its body is " + $0) }
            let id = key.id
            if let group = groupsByID[id] {
                groups[group].responses.append(response)
            } else {
                groupsByID[id] = groups.count
                groups.append((key, [response], index + 1))
            }
        }
        guard let baseURL, !groups.isEmpty else {
            throw .invalidMockFile(name, reason: "no entry has an http or https URL")
        }
        self.baseURL = baseURL
        overrides = groups.map { group in
            let place = MockTeapot.Declaration.Place.recording(file: name, entry: group.number)
            return Override(group.key, .sequence(group.responses, afterLast: .repeats), at: place)
        }
    }
}

extension HARRequest {
    /// The request's body to match; `.some(nil)` for any, `nil` if it cannot be decoded. The boundary of a multipart form is
    /// different each time.
    fileprivate var recordedBody: Data?? {
        guard let postData, postData.text != nil, !postData.mimeType.lowercased().hasPrefix("multipart/") else {
            return .some(nil)
        }
        return postData.data(in: postData.mimeType).map { .some($0) }
    }
}

extension HARBody {
    /// The bytes; `nil` if they are not valid Base64, in which other tools may break lines, or not in the charset of the media type.
    fileprivate func data(in mediaType: String) -> Data? {
        let text = text ?? ""
        guard encoding == "base64" else { return text.data(in: MediaType(mediaType)) }
        return Data(base64Encoded: String(text.filter { !$0.isWhitespace }))
    }

    /// The reason why there are no bytes.
    fileprivate var undecodable: String {
        encoding == "base64" ? "not valid Base64" : "text with characters that its charset does not have"
    }
}

extension HAREntry {
    /// The response; `error` makes the error of one that cannot be given.
    fileprivate func mockResponse(_ error: (String) -> TeapotError) -> MockResponse {
        let failure = response.error.map { URLError(HARError.code(of: $0)) }
        guard response.status != 0 else { return .failure(failure ?? URLError(.unknown)) }
        let content = response.content
        let mediaType = response.headers.value("Content-Type") ?? content.mimeType
        guard let body = content.data(in: mediaType) else { return .unusable(error(content.undecodable)) }
        // An unused body can be missing: that of a redirect, or of a response without one (RFC 9110, section 6.4.1).
        let hasBody = !(300..<400).contains(response.status) && response.status != 204 && request.method != "HEAD"
        if failure == nil, content.text == nil, content.size > 0, hasBody {
            return .unusable(error("missing: \(content.comment ?? "\(counted(content.size, "byte")) were not saved")"))
        }
        let (fields, cookies) = (response.headers.joined, response.headers.setCookieFields)
        return .recorded(body, status: response.status, fields: fields, cookies: cookies, error: failure)
    }
}

extension [HARField] {
    /// The `Set-Cookie` fields. Chrome puts several cookies in one field, separated by line breaks.
    fileprivate var setCookieFields: [String] {
        filter { $0.name.isField("Set-Cookie") }.flatMap(\.value.filledLines)
    }

    /// The fields by name: repeated ones joined with commas (RFC 9110, section 5.3), without HTTP/2's names with a colon.
    fileprivate var joined: [String: String] {
        // The first spelling of each name, by the name in lower case.
        var names: [String: String] = [:]
        var values: [String: String] = [:]
        for field in self where !field.name.hasPrefix(":") {
            let name = names[field.name.lowercased()] ?? field.name
            names[field.name.lowercased()] = name
            // A line break is not valid in a field.
            let lines = field.value.filledLines.map { $0.trimmingCharacters(in: .whitespaces) }
            let earlier = values[name].map { $0.isEmpty ? [] : [$0] } ?? []
            values[name] = (earlier + lines).joined(separator: ", ")
        }
        return values
    }
}
