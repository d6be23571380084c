import TeapotFoundation

/// A response with separate `Set-Cookie` fields. Foundation joins them with commas, which cookies may contain.
package final class CookieResponse: HTTPURLResponse, @unchecked Sendable {
    // `@unchecked` is inherited; the only property is a constant.
    fileprivate let cookies: [String]

    private init?(_ url: URL, _ status: Int, _ version: String, _ fields: [String: String], _ cookies: [String]) {
        self.cookies = cookies
        super.init(url: url, statusCode: status, httpVersion: version, headerFields: fields)
    }

    required init?(coder: NSCoder) { nil }

    /// Makes a response, of this class only if it sets cookies.
    /// - Returns: `nil` if Foundation cannot make the response.
    package static func make(
        url: URL,
        statusCode: Int,
        httpVersion: String = "HTTP/1.1",
        headerFields: [String: String],
        cookies: [String]
    ) -> HTTPURLResponse? {
        guard !cookies.isEmpty else {
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

extension HTTPURLResponse {
    /// The `Set-Cookie` fields as received; `nil` if there are none, or if they were joined.
    package var separateCookies: [String]? { (self as? CookieResponse)?.cookies }

    /// The `Set-Cookie` fields: as received, if they are known, or else separated.
    package var setCookieFields: [String] {
        if let separateCookies { return separateCookies }
        let texts = field("Set-Cookie").map(SetCookie.texts) ?? []
        return texts.map { String($0.withoutOuterBlanks) }.filter { !$0.isEmpty }
    }
}
