internal import TeapotFoundation

/// A response whose `Set-Cookie` fields are kept apart from each other. Foundation joins them with commas, which cookies may hold.
package final class CookieResponse: HTTPURLResponse, @unchecked Sendable {
    // `@unchecked` is inherited; the only property is a constant.
    let cookies: [String]

    private init?(_ url: URL, _ status: Int, _ version: String, _ fields: [String: String], _ cookies: [String]) {
        self.cookies = cookies
        super.init(url: url, statusCode: status, httpVersion: version, headerFields: fields)
    }

    required init?(coder: NSCoder) { nil }

    /// Makes a response: such a one only if several cookies come with it.
    ///
    /// - Returns: `nil` when Foundation makes none of it.
    package static func make(
        url: URL,
        statusCode: Int,
        httpVersion: String,
        headerFields: [String: String],
        cookies: [String]
    ) -> HTTPURLResponse? {
        guard cookies.count > 1 else {
            return HTTPURLResponse(
                url: url,
                statusCode: statusCode,
                httpVersion: httpVersion,
                headerFields: headerFields
            )
        }
        return CookieResponse(url, statusCode, httpVersion, headerFields, cookies)
    }
}
