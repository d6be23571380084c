public import TeapotFoundation

extension HTTPURLResponse {
    /// The status code; the same as `statusCode`.
    public var status: Int { statusCode }

    /// Whether the status is one from 200 to 299.
    var isSuccess: Bool { (200...299).contains(statusCode) }

    /// Status and URL, secrets redacted.
    func shortDescription(_ secrets: SecretPolicy = .standard) -> String {
        "\(statusCode) \(url.map(secrets.shown) ?? "")"
    }

    /// What stands for the response in a result when none came: status 400, no header fields, the URL of the request. That
    /// of a base URL goes without its user information, which is no part of a request's URL.
    package static func standIn(for requestURL: URL) -> HTTPURLResponse {
        let url = requestURL.withoutUserInformation
        let response = HTTPURLResponse(url: url, statusCode: 400, httpVersion: "HTTP/1.1", headerFields: [:])
        // The initializer is declared failable, but has no path that fails, which a test holds for every kind of URL. There is no
        // other way to make a response with a status.
        return response ?? standIn(for: URL(filePath: "/"))
    }
}
