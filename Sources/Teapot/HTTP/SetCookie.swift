import TeapotFoundation

/// A cookie as set by a server (RFC 6265, section 5.2).
package struct SetCookie {
    private let name: String
    private let value: String
    private var attributes: [String: String] = [:]

    /// Parses the `Set-Cookie` fields. If there are too many cookies, only the last are kept.
    static func parse(_ response: HTTPURLResponse) -> [SetCookie] {
        response.setCookieFields.suffix(MemoryCookieStore.limitOfDomain).compactMap { SetCookie($0[...]) }
    }

    /// Whether a server could set a cookie of this name and value, and would get them back unchanged.
    static func isPair(_ name: String, _ value: String) -> Bool {
        let read = SetCookie("\(name)=\(value)")
        return read?.name == name && read?.value == value
    }

    /// Splits a `Set-Cookie` header field into cookies. FoundationNetworking joins several with a comma and a blank.
    ///
    /// Elsewhere a comma is part of a value (RFC 6265, section 5.2). So a comma separates cookies only if a blank, a token and
    /// an equals sign follow, and if it is not in quotation marks or after the day of the week in `Expires`. The comma in
    /// `pref=x, admin=true` is ambiguous: it could belong to one cookie.
    package static func texts(in field: String) -> [Substring] {
        var texts: [Substring] = []
        // The start of the cookie, and that of the part up to the next semicolon.
        var (start, partStart) = (field.startIndex, field.startIndex)
        var position = start
        while position < field.endIndex {
            let next = field.utf8.index(after: position)
            switch field.utf8[position] {
            case UInt8(ascii: ";"): partStart = next
            case UInt8(ascii: "="):
                if let end = quotedEnd(in: field, from: next) {
                    position = end
                    continue
                }
            case UInt8(ascii: ","):
                guard beginsCookie(field[next...]), !endsInWeekday(field[partStart..<position]) else { break }
                texts.append(field[start..<position])
                (start, partStart) = (next, next)
            default: break
            }
            position = next
        }
        return texts + [field[start...]]
    }

    /// The end of a value in quotation marks; `nil` if it has none, or if other text follows them.
    private static func quotedEnd(in field: String, from start: String.Index) -> String.Index? {
        let value = field.utf8[start...]
        guard value.first == UInt8(ascii: "\"") else { return nil }
        let inner = value.dropFirst()
        let marks = [UInt8(ascii: "\""), UInt8(ascii: ";")]
        guard let end = inner.firstIndex(where: marks.contains), inner[end] == marks[0] else { return nil }
        let next = inner[end...].dropFirst().first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        let isEnd = next.map { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") } ?? true
        return isEnd ? inner.index(after: end) : nil
    }

    private static func beginsCookie(_ text: Substring) -> Bool {
        guard text.utf8.first == UInt8(ascii: " ") else { return false }
        let name = text.utf8.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let end = name.prefix(maximumSize + 1).firstIndex { !HeaderFieldRules.isTokenByte($0) }
        return end.map { $0 > name.startIndex && name[$0] == UInt8(ascii: "=") } ?? false
    }

    /// Whether a text is `Expires=Wed`, before a comma and the date.
    private static func endsInWeekday(_ text: Substring) -> Bool {
        let parts = text.split(separator: "=", maxSplits: 1).map {
            $0.trimmingCharacters(in: .whitespaces).lowercased()
        }
        guard parts.count == 2, parts[0] == "expires", parts[1].utf8.count <= 9 else { return false }
        return ["sun", "mon", "tue", "wed", "thu", "fri", "sat"].contains(String(parts[1].prefix(3)))
            && parts[1].utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    /// In bytes: name and value together, and an attribute's value (RFC 6265bis, section 5.6).
    private static let (maximumSize, maximumAttributeSize) = (4_096, 1_024)

    private init?(_ text: Substring) {
        let parts = text.split(separator: ";").map { part in
            part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
        guard
            let pair = parts.first, pair.count == 2, !pair[0].isEmpty, !String(text).holdsControlCharacters,
            pair[0].utf8.count + pair[1].utf8.count <= Self.maximumSize
        else { return nil }
        name = pair[0]
        value = pair[1]
        for part in parts.dropFirst() where part.allSatisfy({ $0.utf8.count <= Self.maximumAttributeSize }) {
            attributes[part[0].lowercased()] = part.count == 2 ? part[1] : ""
        }
    }

    /// The cookie, if a server at the URL may set it (RFC 6265, section 5.3).
    func cookie(from url: URL, at now: Date) -> Teapot.Cookie? {
        guard let host = url.host()?.lowercased(), let domain = domain(for: host) else { return nil }
        let isSecure = attributes["secure"] != nil
        guard hasRightPrefix, !isSecure || url.scheme?.lowercased() == "https" else { return nil }
        return Teapot.Cookie(
            name: name,
            value: value,
            domain: domain,
            path: path(for: url),
            expires: expiry(at: now),
            isSecure: isSecure
        )
    }

    /// Whether the attributes match the prefix of the name (RFC 6265bis, section 4.1.3).
    private var hasRightPrefix: Bool {
        let name = name.lowercased()
        if name.hasPrefix("__host-") {
            return attributes["secure"] != nil && attributes["domain"] == nil && attributes["path"] == "/"
        }
        return !name.hasPrefix("__secure-") || attributes["secure"] != nil
    }

    /// The domain, with a leading dot for all its hosts and without one for this host only; `nil` if the host does not belong
    /// to it. There is no list of public suffixes: only domains of one label, such as `com`, are rejected as too wide.
    private func domain(for host: String) -> String? {
        guard let attribute = attributes["domain"]?.lowercased(), !attribute.isEmpty else { return host }
        let domain = attribute.hasPrefix(".") ? String(attribute.dropFirst()) : attribute
        if domain == host { return Self.isAddress(host) ? host : "." + domain }
        let isTooWide = domain.split(separator: ".").count < 2
        return !isTooWide && !Self.isAddress(host) && host.hasSuffix("." + domain) ? "." + domain : nil
    }

    /// Whether a host is an address, which has no domain: an IPv6 address, or a host that ends in a number, such as `0x7f.1`
    /// (https://url.spec.whatwg.org/#ends-in-a-number-checker).
    static func isAddress(_ host: String) -> Bool {
        guard !host.contains(":"), let last = host.split(separator: ".").last?.lowercased() else { return true }
        guard last.hasPrefix("0x") else { return last.allSatisfy(\.isNumber) }
        return last.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    private func path(for url: URL) -> String {
        if let path = attributes["path"], path.hasPrefix("/") { return path }
        let path = url.path(percentEncoded: true)
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// A numeric `Max-Age` takes precedence over `Expires` (RFC 6265, section 5.2.2).
    private func expiry(at now: Date) -> Date? {
        let text = attributes["max-age"] ?? ""
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        if let age = Double(text), digits.utf8.allSatisfy(ByteSet.digits.contains) {
            return age > 0 ? now.addingTimeInterval(min(age, 1e9)) : .distantPast
        }
        return attributes["expires"].flatMap(HTTPDate.parse)
    }
}
