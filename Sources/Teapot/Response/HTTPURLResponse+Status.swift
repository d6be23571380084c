public import TeapotFoundation

extension HTTPURLResponse {
    /// The status code; the same as `statusCode`.
    public var status: Int { statusCode }

    func resultDescription(_ error: TeapotError?) -> String {
        let head = ResponseHead.foundation(self).shortDescription(error?.details.secrets ?? .standard)
        return error.map { "failure: \(head), \($0.debugDescription)" } ?? "success: \(head)"
    }

    /// The stand-in for a missing response in a result: status 400, no header fields, the URL of the request, without the user
    /// information of a base URL.
    static func standIn(for requestURL: URL) -> HTTPURLResponse {
        let url = requestURL.withoutUserInformation
        let response = HTTPURLResponse(url: url, statusCode: 400, httpVersion: "HTTP/1.1", headerFields: [:])
        // The initializer is declared failable, but cannot fail, which a test checks for every kind of URL.
        return response ?? standIn(for: URL(filePath: "/"))
    }
}
