internal import Teapot

/// One exchange of an archive.
struct HAREntry: Codable, Equatable {
    var request: HARRequest
    var response: HARResponse

    private enum CodingKeys: String, CodingKey { case startedDateTime, time, request, response, cache, timings }
    private enum CacheKeys: CodingKey {}

    init(request: HARRequest, response: HARResponse) {
        self.request = request
        self.response = response
    }

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
        _ = entry.nestedContainer(keyedBy: CacheKeys.self, forKey: .cache)
        try entry.encode(["send": 0, "wait": 0, "receive": 0], forKey: .timings)
    }
}

/// The request of an entry.
struct HARRequest: Codable, Equatable {
    var method: String
    var url: String
    var headers: [HARField]
    var postData: HARPostData?

    private enum CodingKeys: String, CodingKey {
        case method, url, httpVersion, cookies, headers, queryString, postData, headersSize, bodySize
    }

    init(method: String, url: String, headers: [HARField] = [], postData: HARPostData? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.postData = postData
    }

    init(from decoder: any Decoder) throws {
        let request = try decoder.container(keyedBy: CodingKeys.self)
        method = try request.decode(String.self, forKey: .method)
        url = try request.decode(String.self, forKey: .url)
        headers = try request.decodeIfPresent([HARField].self, forKey: .headers) ?? []
        postData = try request.decodeIfPresent(HARPostData.self, forKey: .postData)
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
        try request.encodeIfPresent(postData, forKey: .postData)
        try request.encode(-1, forKey: .headersSize)
        try request.encode(-1, forKey: .bodySize)
    }
}

/// The body of a request.
struct HARPostData: Codable, Equatable {
    var mimeType: String
    /// `nil` if it was left out.
    var text: String?
    /// `base64` for a binary body: Teapot's own member.
    var encoding: String?
    var comment: String?

    private enum CodingKeys: String, CodingKey {
        case mimeType, params, text, comment
        case encoding = "_encoding"
    }

    init(mimeType: String, text: String?, encoding: String? = nil, comment: String? = nil) {
        self.mimeType = mimeType
        self.text = text
        self.encoding = encoding
        self.comment = comment
    }

    init(from decoder: any Decoder) throws {
        let data = try decoder.container(keyedBy: CodingKeys.self)
        mimeType = data.lenient(.mimeType) ?? ""
        text = try data.decodeIfPresent(String.self, forKey: .text)
        encoding = try data.decodeIfPresent(String.self, forKey: .encoding)
        comment = data.lenient(.comment)
    }

    func encode(to encoder: any Encoder) throws {
        var data = encoder.container(keyedBy: CodingKeys.self)
        try data.encode(mimeType, forKey: .mimeType)
        try data.encode([HARField](), forKey: .params)
        try data.encodeIfPresent(text, forKey: .text)
        try data.encodeIfPresent(encoding, forKey: .encoding)
        try data.encodeIfPresent(comment, forKey: .comment)
    }
}
