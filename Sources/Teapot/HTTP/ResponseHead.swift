import TeapotFoundation

/// The status and header fields of a response. Foundation takes more time to make its object than a call takes
/// otherwise, since it changes the capitals of all names. So one is made only if somebody asks for it, and once.
package enum ResponseHead: Sendable {
    /// From `URLSession`, or from a caller's transport.
    case foundation(HTTPURLResponse)
    /// From a transport of Teapot.
    case own(Own)

    package final class Own: Sendable {
        let url: URL
        let status: Int
        let version: String
        let lines: FieldLines
        let hasSeparateCookies: Bool
        let made = Locked<HTTPURLResponse?>(nil)

        fileprivate init(_ url: URL, _ status: Int, _ version: String, _ lines: FieldLines, hasSeparateCookies: Bool) {
            self.url = url
            self.status = status
            self.version = version
            self.lines = lines
            self.hasSeparateCookies = hasSeparateCookies
        }

        var http: HTTPURLResponse {
            if let http = made.withLock({ $0 }) { return http }
            let http = CookieResponse.make(self) ?? .standIn(for: url)
            return made.withLock { made in
                // Another thread may have made one.
                made = made ?? http
                return made ?? http
            }
        }
    }

    /// Makes one from the fields. `hasSeparateCookies` says whether each cookie has a `Set-Cookie` field of its own.
    package init(
        url: URL,
        status: Int,
        version: String = "HTTP/1.1",
        lines: FieldLines = FieldLines(),
        hasSeparateCookies: Bool = false
    ) { self = .own(Own(url, status, version, lines, hasSeparateCookies: hasSeparateCookies)) }

    package var url: URL? { if case .own(let own) = self { own.url } else { http.url } }
    package var status: Int { if case .own(let own) = self { own.status } else { http.statusCode } }

    package var http: HTTPURLResponse {
        switch self {
        case .foundation(let http): http
        case .own(let own): own.http
        }
    }

    /// The header fields. Foundation has joined its own, except cookies that are known separately.
    package var lines: FieldLines {
        if case .own(let own) = self { return own.lines }
        var lines = FieldLines()
        for (name, value) in http.allHeaderFields { lines.append("\(name)", "\(value)") }
        if let separateCookies { lines.replace("Set-Cookie", with: separateCookies) }
        return lines
    }

    /// The value of a header field, without the blanks around it: see ``Teapot/Teapot/HeaderFields``.
    package func field(_ name: String) -> String? {
        let joined =
            if case .own(let own) = self { own.lines.value(of: name) } else { http.value(forHTTPHeaderField: name) }
        return joined.map { SingleField.value($0, of: name).withoutOuterBlanks }
    }

    /// The `Last-Modified` field, if it tells versions apart: a date of at least a second before the `Date` of the response, as a file
    /// can change more than once in a second (RFC 9110, section 8.8.2.2). Without a `Date`, the clock of the server is unknown.
    package var strongLastModified: String? {
        guard let modified = field("Last-Modified"), let time = HTTPDate.parse(modified),
            let date = field("Date").flatMap(HTTPDate.parse), time <= date - 1
        else { return nil }
        return modified
    }

    /// The delay that `Retry-After` asks for (RFC 9110, section 10.2.3), not negative; `nil` if the field is missing or
    /// invalid. A date is compared with the server's clock, from `Date`, or with the system's if there is none.
    var retryAfter: Duration? {
        guard let text = field("Retry-After") else { return nil }
        if let seconds = Self.seconds(text) { return .seconds(min(seconds, Double(Int32.max))) }
        guard let date = HTTPDate.parse(text) else { return nil }
        let now = field("Date").flatMap(HTTPDate.parse) ?? Date()
        return .seconds(max(date.timeIntervalSince(now), 0))
    }

    /// A number of seconds, which some servers send with a part of a second; `nil` if it is not one.
    static func seconds(_ text: String) -> Double? {
        var scanner = FieldScanner(text)
        guard !scanner.digits().isEmpty else { return nil }
        guard !scanner.take(".") || !scanner.digits().isEmpty, scanner.isAtEnd else { return nil }
        return Double(text)
    }

    /// The `Set-Cookie` fields as received; `nil` if there are none, or if they were joined.
    package var separateCookies: [String]? {
        guard case .own(let own) = self else { return (http as? CookieResponse)?.cookies }
        let cookies = own.hasSeparateCookies ? own.lines.values(of: "Set-Cookie") : []
        return cookies.isEmpty ? nil : cookies
    }

    /// The `Set-Cookie` fields: as received, if they are known, or else separated.
    package var setCookieFields: [String] {
        if let separateCookies { return separateCookies }
        let texts = field("Set-Cookie").map(SetCookie.texts) ?? []
        return texts.map(\.withoutOuterBlanks).filter { !$0.isEmpty }
    }

    /// Whether a body of no bytes is cut off, except after a `HEAD`: a compressed body has some, nothing compressed with gzip still has
    /// 20 (RFC 1952, section 2.3), and no coding needs more than 64 for it. A length of zero is taken at its word, as by other clients.
    package var promisesBody: Bool {
        guard ![204, 205, 304].contains(status), let field = field("Content-Encoding") else { return false }
        let codings = ByteSet(",").parts(of: field.lowercased()).map(\.withoutOuterBlanks)
        let isGzip = ["gzip", "x-gzip"].contains(where: codings.contains)
        guard isGzip || ["deflate", "br", "zstd"].contains(where: codings.contains) else { return false }
        guard let length = self.field("Content-Length").flatMap({ Int($0) }) else { return true }
        return isGzip && (1..<20).contains(length) || length > 64
    }

    var isSuccess: Bool { (200...299).contains(status) }
    /// Whether a request that accepts these statuses, too, returns the response.
    func isAccepted(by statuses: Set<Int>) -> Bool { isSuccess || statuses.contains(status) }
    /// The status and URL, secrets redacted.
    func shortDescription(_ secrets: SecretPolicy) -> String { "\(status) \(url.map(secrets.redacted) ?? "")" }
}

/// A response with separate `Set-Cookie` fields, in case a caller's transport passes it on. Foundation joins them with
/// commas, which cookies may contain.
private final class CookieResponse: HTTPURLResponse, @unchecked Sendable {
    // `@unchecked` is inherited; the only property is a constant.
    let cookies: [String]

    private init?(_ head: ResponseHead.Own, _ fields: [String: String], _ cookies: [String]) {
        self.cookies = cookies
        super.init(url: head.url, statusCode: head.status, httpVersion: head.version, headerFields: fields)
    }

    required init?(coder: NSCoder) { nil }

    /// Makes a response, of this class only if it sets cookies; `nil` if Foundation cannot make it.
    static func make(_ head: ResponseHead.Own) -> HTTPURLResponse? {
        let fields = head.lines.joined
        if let cookies = ResponseHead.own(head).separateCookies { return CookieResponse(head, fields, cookies) }
        return HTTPURLResponse(url: head.url, statusCode: head.status, httpVersion: head.version, headerFields: fields)
    }
}
