import Teapot

/// One exchange of an archive.
struct HAREntry {
    var request: HARRequest
    var response: HARResponse
}

/// The request of an entry.
struct HARRequest {
    var method: String
    var url: String
    var headers: [HARField] = []
    /// Its size is not written.
    var postData: HARBody?
}

/// The response of an entry.
struct HARResponse {
    /// 0 if there was no response.
    var status: Int
    var headers: [HARField] = []
    var content: HARBody
    /// The error of the exchange, in Teapot's or Chrome's notation: a member of their own.
    var error: String?
}

extension HAREntry: Decodable {
    init(from decoder: any Decoder) throws {
        let entry = try decoder.container(keyedBy: HARKey.self)
        request = try entry.decode(HARRequest.self, forKey: .request)
        response = try entry.decode(HARResponse.self, forKey: .response)
    }

    /// The members to write. With times, two recordings of the same traffic would differ.
    var members: [String: Any] {
        [
            "startedDateTime": "1970-01-01T00:00:00.000Z", "time": 0, "cache": [String: Any](),
            "timings": ["send": 0, "wait": 0, "receive": 0],
            "request": request.members, "response": response.members,
        ]
    }
}

extension HARRequest: Decodable {
    init(from decoder: any Decoder) throws {
        let request = try decoder.container(keyedBy: HARKey.self)
        method = try request.decode(String.self, forKey: .method)
        url = try request.decode(String.self, forKey: .url)
        headers = try request.decodeIfPresent([HARField].self, forKey: .headers) ?? []
        postData = try request.decodeIfPresent(HARBody.self, forKey: .postData)
    }

    /// URLSession does not report the version.
    fileprivate var members: [String: Any] {
        var members: [String: Any] = [
            "method": method, "url": url, "httpVersion": "unknown", "headersSize": -1, "bodySize": -1,
            "headers": headers.members, "cookies": headers.cookies.members,
            "queryString": HARURL.queryItems(of: url).members,
        ]
        var body = postData?.members(encodingKey: .ownEncoding)
        body?["params"] = [Any]()
        members.add(.postData, body)
        return members
    }
}

extension HARResponse: Decodable {
    init(from decoder: any Decoder) throws {
        let response = try decoder.container(keyedBy: HARKey.self)
        status = try response.decodeIfPresent(Int.self, forKey: .status) ?? 0
        headers = try response.decodeIfPresent([HARField].self, forKey: .headers) ?? []
        content = try response.decodeIfPresent(HARBody.self, forKey: .content) ?? HARBody(mimeType: "")
        error = response.lenient(.error)
    }

    /// URLSession does not report the version and the text of the status.
    fileprivate var members: [String: Any] {
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
