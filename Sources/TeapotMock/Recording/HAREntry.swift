import Teapot

/// One exchange of an archive.
struct HAREntry {
    var request: HARRequest
    var response: HARResponse
}

extension HAREntry: Codable {
    private enum CodingKeys: CodingKey { case startedDateTime, time, request, response, cache, timings }

    init(from decoder: any Decoder) throws {
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        request = try entry.decode(HARRequest.self, forKey: .request)
        response = try entry.decode(HARResponse.self, forKey: .response)
    }

    func encode(to encoder: any Encoder) throws {
        var entry = encoder.container(keyedBy: CodingKeys.self)
        // With times, two recordings of the same traffic would differ.
        try entry.encode("1970-01-01T00:00:00.000Z", forKey: .startedDateTime)
        try entry.encode(0, forKey: .time)
        try entry.encode(request, forKey: .request)
        try entry.encode(response, forKey: .response)
        try entry.encode([String: String](), forKey: .cache)
        try entry.encode(["send": 0, "wait": 0, "receive": 0], forKey: .timings)
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

extension HARRequest: Codable {
    private enum CodingKeys: CodingKey {
        case method, url, httpVersion, cookies, headers, queryString, postData, headersSize, bodySize
    }

    init(from decoder: any Decoder) throws {
        let request = try decoder.container(keyedBy: CodingKeys.self)
        method = try request.decode(String.self, forKey: .method)
        url = try request.decode(String.self, forKey: .url)
        headers = try request.decodeIfPresent([HARField].self, forKey: .headers) ?? []
        postData = try request.decodeIfPresent(HARBody.self, forKey: .postData)
    }

    func encode(to encoder: any Encoder) throws {
        var request = encoder.container(keyedBy: CodingKeys.self)
        try request.encode(method, forKey: .method)
        try request.encode(url, forKey: .url)
        // URLSession does not report it.
        try request.encode("unknown", forKey: .httpVersion)
        try request.encode(headers.cookies, forKey: .cookies)
        try request.encode(headers, forKey: .headers)
        try request.encode(HARURL.queryItems(of: url), forKey: .queryString)
        if let postData {
            var body = request.nestedContainer(keyedBy: HARBody.CodingKeys.self, forKey: .postData)
            try body.encode([HARField](), forKey: .params)
            try postData.encode(to: &body, encodingKey: .ownEncoding)
        }
        try request.encode(-1, forKey: .headersSize)
        try request.encode(-1, forKey: .bodySize)
    }
}
