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

extension HARResponse: Decodable {
    private enum CodingKeys: String, CodingKey {
        case status, headers, content
        case error = "_error"
    }

    init(from decoder: any Decoder) throws {
        let response = try decoder.container(keyedBy: CodingKeys.self)
        status = try response.decodeIfPresent(Int.self, forKey: .status) ?? 0
        headers = try response.decodeIfPresent([HARField].self, forKey: .headers) ?? []
        content = try response.decodeIfPresent(HARBody.self, forKey: .content) ?? HARBody(mimeType: "")
        error = response.lenient(.error)
    }

    /// The members to write. URLSession does not report the version and the text of the status.
    var members: [String: Any] {
        var body = content.members(encodingKey: HARBody.CodingKeys.encoding)
        body["size"] = content.size
        var members: [String: Any] = [
            "status": status, "statusText": "", "httpVersion": "unknown", "headersSize": -1, "bodySize": -1,
            "headers": headers.members, "cookies": headers.cookies.members, "content": body,
            "redirectURL": headers.value("Location") ?? "",
        ]
        members[CodingKeys.error.rawValue] = error
        return members
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
        case size, mimeType, text, encoding, comment
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

    /// The members to write that requests and responses share.
    func members(encodingKey: CodingKeys) -> [String: Any] {
        var members: [String: Any] = ["mimeType": mimeType]
        (members["text"], members[encodingKey.rawValue], members["comment"]) = (text, encoding, comment)
        return members
    }
}

/// A header field, cookie or query item.
struct HARField: Decodable, Equatable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    private enum CodingKeys: CodingKey { case name, value }

    init(from decoder: any Decoder) throws {
        let field = try decoder.container(keyedBy: CodingKeys.self)
        name = try field.decode(String.self, forKey: .name)
        value = field.lenient(.value) ?? ""
    }
}

extension [HARField] {
    /// The members to write.
    var members: [[String: Any]] { map { ["name": $0.name, "value": $0.value] } }

    /// The fields, sorted by name without regard to case, name and value.
    var sortedFields: [HARField] {
        sorted { ($0.name.lowercased(), $0.name, $0.value) < ($1.name.lowercased(), $1.name, $1.value) }
    }

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
