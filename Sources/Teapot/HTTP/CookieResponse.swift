internal import TeapotFoundation

/// A response with separate `Set-Cookie` fields. Foundation joins them with commas, which cookies may contain.
package final class CookieResponse: HTTPURLResponse, @unchecked Sendable {
    // `@unchecked` is inherited; the only property is a constant.
    let cookies: [String]

    private init?(_ url: URL, _ status: Int, _ version: String, _ fields: [String: String], _ cookies: [String]) {
        self.cookies = cookies
        super.init(url: url, statusCode: status, httpVersion: version, headerFields: fields)
    }

    required init?(coder: NSCoder) { nil }

    /// Makes a response, of this class only if it sets several cookies.
    ///
    /// - Returns: `nil` if Foundation cannot make the response.
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
