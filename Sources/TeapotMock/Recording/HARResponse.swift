import Teapot

/// The response of an entry.
struct HARResponse {
    /// 0 if there was no response.
    var status: Int
    var headers: [HARField] = []
    var content: HARBody
    /// The error of the exchange, in Teapot's or Chrome's notation: a member of their own.
    var error: String?
}

extension HARResponse: Codable {
    private enum CodingKeys: String, CodingKey {
        case status, statusText, httpVersion, cookies, headers, content, redirectURL, headersSize, bodySize
        case error = "_error"
    }

    init(from decoder: any Decoder) throws {
        let response = try decoder.container(keyedBy: CodingKeys.self)
        status = try response.decodeIfPresent(Int.self, forKey: .status) ?? 0
        headers = try response.decodeIfPresent([HARField].self, forKey: .headers) ?? []
        content = try response.decodeIfPresent(HARBody.self, forKey: .content) ?? HARBody(mimeType: "")
        error = response.lenient(.error)
    }

    func encode(to encoder: any Encoder) throws {
        var response = encoder.container(keyedBy: CodingKeys.self)
        try response.encode(status, forKey: .status)
        // URLSession does not report it.
        try response.encode("", forKey: .statusText)
        try response.encode("unknown", forKey: .httpVersion)
        try response.encode(headers.cookies, forKey: .cookies)
        try response.encode(headers, forKey: .headers)
        var body = response.nestedContainer(keyedBy: HARBody.CodingKeys.self, forKey: .content)
        try body.encode(content.size, forKey: .size)
        try content.encode(to: &body, encodingKey: .encoding)
        try response.encode(headers.value("Location") ?? "", forKey: .redirectURL)
        try response.encode(-1, forKey: .headersSize)
        try response.encode(-1, forKey: .bodySize)
        try response.encodeIfPresent(error, forKey: .error)
    }
}

/// The body of a request, or that of a response, decompressed.
struct HARBody: Equatable {
    /// In bytes. Over 0 without a text if the body was left out.
    var size = 0
    var mimeType: String
    var text: String?
    /// `base64` for a binary body.
    var encoding: String?
    /// The reason why the body was left out.
    var comment: String?
}

extension HARBody: Decodable {
    enum CodingKeys: String, CodingKey {
        case size, mimeType, params, text, encoding, comment
        /// Teapot's own member, as HAR has none for requests.
        case ownEncoding = "_encoding"
    }

    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        size = body.lenient(.size) ?? 0
        mimeType = body.lenient(.mimeType) ?? ""
        text = try body.decodeIfPresent(String.self, forKey: .text)
        encoding =
            try body.decodeIfPresent(String.self, forKey: .encoding)
            ?? body.decodeIfPresent(String.self, forKey: .ownEncoding)
        comment = body.lenient(.comment)
    }

    /// Writes the members that requests and responses share.
    func encode(to body: inout KeyedEncodingContainer<CodingKeys>, encodingKey: CodingKeys) throws {
        try body.encode(mimeType, forKey: .mimeType)
        try body.encodeIfPresent(text, forKey: .text)
        try body.encodeIfPresent(encoding, forKey: encodingKey)
        try body.encodeIfPresent(comment, forKey: .comment)
    }
}

/// A header field, cookie or query item.
struct HARField: Codable, Hashable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        let field = try decoder.container(keyedBy: CodingKeys.self)
        name = try field.decode(String.self, forKey: .name)
        value = field.lenient(.value) ?? ""
    }
}

extension [HARField] {
    /// The values of a header field, joined with commas (RFC 9110, section 5.3); `nil` if there is none.
    func value(_ name: String) -> String? {
        let name = FieldName(name)
        let values = filter { FieldName($0.name) == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The cookies in `Cookie` and `Set-Cookie`, as far as they can be parsed.
    var cookies: [HARField] {
        filter { CookieText.isCookie($0.name) }.flatMap { CookieText.pairs(in: $0.value, of: $0.name) }
    }
}
