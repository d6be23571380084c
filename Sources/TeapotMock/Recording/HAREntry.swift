import Teapot

/// One exchange of an archive.
struct HAREntry: Decodable {
    var request: HARRequest
    var response: HARResponse

    /// The members to write. With times, two recordings of the same traffic would differ.
    var members: [String: Any] {
        [
            "startedDateTime": "1970-01-01T00:00:00.000Z", "time": 0, "cache": [String: Any](),
            "timings": ["send": 0, "wait": 0, "receive": 0],
            "request": request.members, "response": response.members,
        ]
    }
}

/// The request of an entry.
struct HARRequest {
    var method: String
    var url: String
    var headers: [HARField] = []
    /// Its size is not written.
    var postData: HARBody?
}

extension HARRequest: Decodable {
    private enum CodingKeys: CodingKey { case method, url, headers, postData }

    init(from decoder: any Decoder) throws {
        let request = try decoder.container(keyedBy: CodingKeys.self)
        method = try request.decode(String.self, forKey: .method)
        url = try request.decode(String.self, forKey: .url)
        headers = try request.decodeIfPresent([HARField].self, forKey: .headers) ?? []
        postData = try request.decodeIfPresent(HARBody.self, forKey: .postData)
    }

    /// The members to write. URLSession does not report the version.
    fileprivate var members: [String: Any] {
        var members: [String: Any] = [
            "method": method, "url": url, "httpVersion": "unknown", "headersSize": -1, "bodySize": -1,
            "headers": headers.members, "cookies": headers.cookies.members,
            "queryString": HARURL.queryItems(of: url).members,
        ]
        var body = postData?.members(encodingKey: HARBody.CodingKeys.ownEncoding)
        body?["params"] = [Any]()
        members["postData"] = body
        return members
    }
}
