import Teapot

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
    var members: [String: Any] {
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
