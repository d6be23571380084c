import TeapotFoundation

/// A cookie as set by a server (RFC 6265, section 5.2).
package struct SetCookie {
    private let name, value: String
    /// The attributes by name in lowercase. There is more than one reading if it is unknown which attributes are its own.
    private var readings: [[String: String]]
    /// Whether the value may have been longer, with `Secure` behind it.
    private var mayBeSecure = false

    /// Parses the `Set-Cookie` fields. If there are too many cookies, only the last are kept.
    static func parse(_ response: ResponseHead) -> [SetCookie] {
        guard let fields = response.separateCookies else { return response.field("Set-Cookie").map(joined) ?? [] }
        return fields.suffix(MemoryCookieStore.limitOfDomain).compactMap { SetCookie($0, semicolon.parts(of: $0)) }
    }

    /// Whether a server could set a cookie of this name and value, and would get them back unchanged.
    static func isPair(_ name: String, _ value: String) -> Bool {
        let text = name + "=" + value
        let read = SetCookie(text, semicolon.parts(of: text))
        return read?.name == name && read?.value == value
    }

    // MARK: - Joined fields

    /// The last cookies of fields that were joined.
    /// Text without a name may have been a field of its own, or the end of the cookie before it. The attributes behind the text
    /// therefore belong to another reading of that cookie. In the same way, the value at the end of a cookie may have been the beginning
    /// of a longer one, with the attributes of the next cookie.
    private static func joined(_ field: String) -> [SetCookie] {
        var cookies: [SetCookie] = []
        // The texts behind a cookie, from the last one on: their attributes, whether the end of them may continue, and `Secure`.
        var others: [[String: String]] = []
        var isOpen: Bool?
        var (isSecure, nextIsSecure) = (false, false)
        for text in texts(in: field).reversed() where cookies.count < MemoryCookieStore.limitOfDomain {
            let parts = semicolon.parts(of: text)
            let attributes = attributes(of: parts)
            isOpen = isOpen ?? endsInValue(parts)
            isSecure = isSecure || attributes["secure"] != nil
            // Each cookie has a name.
            let (name, value) = pair(parts[0])
            guard value != nil, !name.isEmpty else {
                others.append(attributes)
                continue
            }
            let mayBeSecure = nextIsSecure && isOpen != false
            if var cookie = SetCookie(text, parts) {
                cookie.mayBeSecure = mayBeSecure
                cookie.doubtQuotes(in: parts)
                for attributes in others.reversed() {
                    let last = cookie.readings[cookie.readings.count - 1]
                    let reading = last.merging(attributes) { $1 }
                    if reading != last { cookie.readings.append(reading) }
                }
                cookies.append(cookie)
            }
            nextIsSecure = isSecure || mayBeSecure
            others = []
            isOpen = nil
            isSecure = false
        }
        return cookies.reversed()
    }

    /// Whether the last attribute of a text has a value that may contain a comma; `nil` if there is no attribute.
    private static func endsInValue(_ parts: [String]) -> Bool? {
        guard parts.count > 1, let attribute = parts.last else { return nil }
        let (name, value) = pair(attribute)
        return value != nil && !known.contains(name.lowercased()) && name.lowercased() != "samesite"
    }

    /// Two cookies may each have had one of the quotation marks around a comma that a name and `=` follow. The first of
    /// them then has only the attributes before the comma.
    private mutating func doubtQuotes(in parts: [String]) {
        for (index, part) in parts.enumerated() {
            var scanner = FieldScanner(part)
            repeat { scanner.skip(to: Self.comma) } while scanner.take(",") && !scanner.isAt(" ")
            let end = scanner.position - 1
            scanner.skip(to: Self.equalsSign)
            // In a date, no `=` follows.
            guard !scanner.isAtEnd else { continue }
            readings.insert(Self.attributes(of: Array(parts[..<index]) + [scanner.text(0..<end)]), at: 0)
            return
        }
    }

    /// Divides fields that FoundationNetworking joined with a comma and a blank.
    /// Such a comma is not part of a value or an attribute, unless it is in quotation marks or in a date: only `Expires` and
    /// values have one. The comma in `pref=x, admin=true` is ambiguous: it could belong to one cookie.
    package static func texts(in field: String) -> [String] {
        var texts: [String] = []
        var scanner = FieldScanner(field)
        // The start of the cookie, that of the part up to the next semicolon, and that of the value of this part.
        var (start, partStart, valueStart) = (0, 0, nil as Int?)
        while true {
            scanner.skip(to: marks)
            let end = scanner.position
            guard !scanner.isAtEnd else { return texts + [scanner.text(start..<end)] }
            if scanner.take(";") {
                partStart = scanner.position
                valueStart = nil
            } else if scanner.take("=") {
                valueStart = valueStart ?? scanner.position
                skipQuotes(&scanner)
            } else if scanner.take(","), scanner.isAtEnd || scanner.isAt(" ") {
                if let valueStart, partStart == start || isExpires(scanner.text(partStart..<valueStart - 1)) {
                    let value = scanner.text(valueStart..<end).withoutOuterBlanks
                    if isDate(value, scanner, mayBeInvalid: partStart > start) { continue }
                }
                texts.append(scanner.text(start..<end))
                start = scanner.position
                partStart = start
                valueStart = nil
            }
        }
    }

    private static func isExpires(_ name: String) -> Bool { name.withoutOuterBlanks.lowercased() == "expires" }

    /// Whether the comma behind a value and before the rest of the field is part of a date, such as `Wed, 09 Jun 2100 10:18:14 GMT`.
    /// Behind a word and before a number, the date of `Expires` may be invalid.
    private static func isDate(_ before: String, _ scanner: FieldScanner, mayBeInvalid: Bool) -> Bool {
        var scanner = scanner
        let after = scanner.text(before: marks).withoutOuterBlanks
        guard !scanner.isAt("=") else { return false }
        if mayBeInvalid, !before.isEmpty, ByteSet.letters.contains(allOf: before) {
            return after.utf8.first.map(ByteSet.digits.contains) ?? false
        }
        return HTTPDate.parse(before) == nil && HTTPDate.parse(before + ", " + after) != nil
    }

    /// Skips a value in quotation marks, unless other text follows them.
    private static func skipQuotes(_ scanner: inout FieldScanner) {
        var end = scanner
        guard end.take("\"") else { return }
        end.skip(to: ByteSet("\";"))
        guard end.take("\"") else { return }
        var next = end
        next.skip(FieldScanner.blanks)
        if next.isAtEnd || next.isAt(";") || next.isAt(",") { scanner = end }
    }

    // MARK: - Parsing

    /// In bytes: name and value together, and an attribute's value (RFC 6265bis, section 5.6).
    private static let (maximumSize, maximumAttributeSize) = (4_096, 1_024)

    private init?(_ text: String, _ parts: [String]) {
        let (name, value) = Self.pair(parts[0])
        // A control character but a tab is invalid (RFC 6265bis, section 5.6).
        guard let value, !name.isEmpty, name.utf8.count + value.utf8.count <= Self.maximumSize,
            !Array(text.utf8).contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
        else { return nil }
        self.name = name
        self.value = value
        readings = [Self.attributes(of: parts)]
    }

    /// The text before the first equals sign, and the text behind it, which is `nil` without one.
    @inline(never) private static func pair(_ part: String) -> (name: String, value: String?) {
        var scanner = FieldScanner(part)
        let name = scanner.text(before: equalsSign).withoutOuterBlanks
        return (name, scanner.take("=") ? scanner.rest.withoutOuterBlanks : nil)
    }

    private static func attributes(of parts: [String]) -> [String: String] {
        var attributes: [String: String] = [:]
        for part in parts.dropFirst() {
            let (name, value) = pair(part)
            let (key, text) = (name.lowercased(), value ?? "")
            guard known.contains(key), text.utf8.count <= maximumAttributeSize else { continue }
            // The last that is valid counts (RFC 6265, section 5.2). A single one is checked when it is used.
            switch key {
            case "max-age" where attributes[key] != nil && maximumAge(text) == nil: continue
            case "expires" where attributes[key] != nil && HTTPDate.parse(text) == nil: continue
            default: attributes[key] = text
            }
        }
        return attributes
    }

    private static let known: Set = ["secure", "path", "domain", "max-age", "expires"]
    private static let semicolon = ByteSet(";")
    private static let comma = ByteSet(",")
    private static let equalsSign = ByteSet("=")
    private static let marks = ByteSet(";,=")

    // MARK: - Cookies

    /// The cookie, if a server at the URL may set it (RFC 6265, section 5.3). Of several readings, the strictest counts, and a
    /// cookie is not kept if there is none. Cookies that the other readings would replace are removed.
    func cookies(from url: URL, at now: Date) -> [Teapot.Cookie] {
        var cookies = readings.compactMap { cookie($0, from: url, at: now) }
        guard readings.count > 1, var strictest = cookies.first else { return cookies }
        for cookie in cookies where cookie.path.utf8.count > strictest.path.utf8.count { strictest = cookie }
        let normalPath = PercentEncoding.uppercaseEscapes(strictest.path)
        let areWider = cookies.allSatisfy {
            CookieJar.matches(normalPath: normalPath, $0.path) && $0.domain == strictest.domain
        }
        let isClear = areWider && cookies.count == readings.count
        strictest.isSecure = cookies.contains(where: \.isSecure)
        strictest.expires = cookies.compactMap(\.expires).min()
        for index in cookies.indices {
            let isStrictest = isClear && cookies[index].path == strictest.path
            cookies[index].isSecure = strictest.isSecure
            cookies[index].expires = isStrictest ? strictest.expires : .distantPast
        }
        return cookies
    }

    private func cookie(_ attributes: [String: String], from url: URL, at now: Date) -> Teapot.Cookie? {
        let (isSecure, isHTTPS) = (attributes["secure"] != nil, url.scheme?.lowercased() == "https")
        guard let host = url.host()?.lowercased(), let domain = Self.domain(attributes["domain"], for: host),
            hasRightPrefix(attributes), !isSecure || isHTTPS
        else { return nil }
        let path = Self.path(attributes["path"], for: url)
        var cookie = Teapot.Cookie(name: name, value: value, domain: domain, path: path)
        // A numeric `Max-Age` takes precedence over `Expires` (RFC 6265, section 5.2.2).
        if let age = attributes["max-age"].flatMap(Self.maximumAge) {
            cookie.expires = age > 0 ? now.addingTimeInterval(min(age, 1e9)) : .distantPast
        } else {
            cookie.expires = attributes["expires"].flatMap(HTTPDate.parse)
        }
        cookie.isSecure = isSecure || mayBeSecure && isHTTPS
        return cookie
    }

    /// Whether the attributes match the prefix of the name (RFC 6265bis, section 4.1.3).
    private func hasRightPrefix(_ attributes: [String: String]) -> Bool {
        let (name, isSecure) = (name.lowercased(), attributes["secure"] != nil)
        if name.hasPrefix("__host-") { return isSecure && attributes["domain"] == nil && attributes["path"] == "/" }
        return isSecure || !name.hasPrefix("__secure-")
    }

    /// The domain, with a leading dot for all its hosts and without one for this host only; `nil` if it is another's.
    /// Without a list of public suffixes, only one label, such as `com`, is too wide, unless the host is that (step 5).
    private static func domain(_ attribute: String?, for host: String) -> String? {
        guard let attribute = attribute?.lowercased() else { return host }
        let domain = attribute.hasPrefix(".") ? String(attribute.dropFirst()) : attribute
        guard !domain.isEmpty else { return host }
        let isTooWide = labels(of: domain).count < 2
        if domain == host { return isAddress(host) || isTooWide ? host : "." + domain }
        return !isTooWide && !isAddress(host) && host.hasSuffix("." + domain) ? "." + domain : nil
    }

    /// Whether a host is an address, which has no domain: an IPv6 address, or a host that ends in a number, such as `0x7f.1`
    /// (https://url.spec.whatwg.org/#ends-in-a-number-checker).
    static func isAddress(_ host: String) -> Bool {
        guard !host.contains(":"), let last = labels(of: host).last?.lowercased() else { return true }
        guard last.hasPrefix("0x") else { return last.allSatisfy(\.isNumber) }
        return last.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    private static func labels(of host: String) -> [String] { ByteSet(".").parts(of: host).filter { !$0.isEmpty } }

    private static func path(_ attribute: String?, for url: URL) -> String {
        if let attribute, attribute.hasPrefix("/") { return attribute }
        let path = url.path(percentEncoded: true)
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// In seconds; `nil` if it is not a number.
    private static func maximumAge(_ text: String) -> Double? {
        let digits = text.hasPrefix("-") ? String(text.dropFirst()) : text
        return ByteSet.digits.contains(allOf: digits) ? Double(text) : nil
    }
}
