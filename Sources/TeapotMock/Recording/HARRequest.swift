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
    init(from decoder: any Decoder) throws {
        let request = try decoder.container(keyedBy: HARKey.self)
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
        var body = postData?.members(encodingKey: .ownEncoding)
        body?["params"] = [Any]()
        members.add(.postData, body)
        return members
    }
}
