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
    init(from decoder: any Decoder) throws {
        let response = try decoder.container(keyedBy: HARKey.self)
        status = try response.decodeIfPresent(Int.self, forKey: .status) ?? 0
        headers = try response.decodeIfPresent([HARField].self, forKey: .headers) ?? []
        content = try response.decodeIfPresent(HARBody.self, forKey: .content) ?? HARBody(mimeType: "")
        error = response.lenient(.error)
    }

    /// The members to write. URLSession does not report the version and the text of the status.
    var members: [String: Any] {
        var body = content.members(encodingKey: .encoding)
        body["size"] = content.size
        var members: [String: Any] = [
            "status": status, "statusText": "", "httpVersion": "unknown", "headersSize": -1, "bodySize": -1,
            "headers": headers.members, "cookies": headers.cookies.members, "content": body,
            "redirectURL": headers.value("Location") ?? "",
        ]
        members.add(.error, error)
        return members
    }
}
