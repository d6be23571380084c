import TeapotFoundation

/// A cookie as set by a server (RFC 6265, section 5.2).
package struct SetCookie {
    private let name: String
    private let value: String
    /// The attributes by name in lowercase. There is more than one reading if it is unknown which attributes are its own.
    private var readings: [[String: String]]
    /// Whether the value may have been longer, with `Secure` behind it.
    private var mayBeSecure = false

    /// Parses the `Set-Cookie` fields. If there are too many cookies, only the last are kept.
    static func parse(_ response: ResponseHead) -> [SetCookie] {
        let limit = MemoryCookieStore.limitOfDomain
        if let fields = response.separateCookies { return fields.suffix(limit).compactMap { SetCookie($0[...]) } }
        return response.field("Set-Cookie").map { joined($0).suffix(limit) } ?? []
    }

    /// Whether a server could set a cookie of this name and value, and would get them back unchanged.
    static func isPair(_ name: String, _ value: String) -> Bool {
        let read = SetCookie("\(name)=\(value)")
        return read?.name == name && read?.value == value
    }

    // MARK: - Joined fields

    /// The cookies of fields that were joined.
    ///
    /// Text that is no cookie is never part of one. It may have been a field of its own, or the end of the text before it. The
    /// attributes behind it are therefore those of another reading of the cookie before it. In the same way, the value at the end
    /// of a cookie may have been the beginning of a longer one, with the attributes of the next cookie.
    private static func joined(_ field: String) -> [SetCookie] {
        var read: [(cookie: SetCookie?, isOpen: Bool, isSecure: Bool)] = []
        for text in texts(in: field) {
            let (attributes, isOpen) = (attributes(of: text), endsInValue(text))
            let isSecure = attributes["secure"] != nil
            if isNamed(text) {
                var cookie = SetCookie(text)
                cookie?.doubtQuotes(in: text)
                read.append((cookie, isOpen ?? true, isSecure))
            } else if let last = read.indices.last {
                read[last].cookie?.doubt(attributes)
                read[last].isOpen = isOpen ?? read[last].isOpen
                read[last].isSecure = read[last].isSecure || isSecure
            }
        }
        for index in read.indices.dropLast().reversed() where read[index].isOpen && read[index + 1].isSecure {
            read[index].isSecure = true
            read[index].cookie?.mayBeSecure = true
        }
        return read.compactMap(\.cookie)
    }

    /// Whether the last attribute of a text has a value that may contain a comma; `nil` if there is no attribute.
    private static func endsInValue(_ text: Substring) -> Bool? {
        guard let semicolon = text.utf8.lastIndex(of: UInt8(ascii: ";")) else { return nil }
        let attribute = text.utf8[semicolon...].dropFirst()
        guard let equals = attribute.firstIndex(of: UInt8(ascii: "=")) else { return false }
        let name = Substring(attribute[..<equals]).withoutOuterBlanks.lowercased()
        return !known.contains(name) && name != "samesite"
    }

    private mutating func doubt(_ attributes: [String: String]) {
        guard !attributes.isEmpty, let last = readings.last else { return }
        let reading = last.merging(attributes) { $1 }
        if reading != last { readings.append(reading) }
    }

    /// Two cookies may each have had one of the quotation marks around a comma that a name and `=` follow. The first of them then
    /// has only the attributes before the comma.
    private mutating func doubtQuotes(in text: Substring) {
        for part in text.utf8.split(separator: UInt8(ascii: ";")) {
            // In a date, no `=` follows.
            guard let comma = part.firstRange(of: ", ".utf8), part[comma.upperBound...].contains(UInt8(ascii: "="))
            else { continue }
            readings.insert(Self.attributes(of: text[..<comma.lowerBound]), at: 0)
            return
        }
    }

    /// Divides fields that FoundationNetworking joined with a comma and a blank.
    ///
    /// Such a comma is not part of a value or an attribute, unless it is in quotation marks or in a date: only `Expires` and
    /// values have one. The comma in `pref=x, admin=true` is ambiguous: it could belong to one cookie.
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
            case UInt8(ascii: ",") where next == field.endIndex || field.utf8[next] == UInt8(ascii: " "):
                guard !isInDate(after: field[partStart..<position], before: field[next...], isValue: partStart == start)
                else { break }
                texts.append(field[start..<position])
                start = next
                partStart = next
            default: break
            }
            position = next
        }
        return texts + [field[start...]]
    }

    /// Whether a text has a name, as each cookie does.
    private static func isNamed(_ text: Substring) -> Bool {
        let name = text.utf8.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
        return name.endIndex < text.endIndex && text.utf8[name.endIndex] == UInt8(ascii: "=")
            && !Substring(name).withoutOuterBlanks.isEmpty
    }

    /// Whether a comma is part of a date, such as `Expires=Wed, 09 Jun 2100 10:18:14 GMT`. Behind a word and before a number,
    /// the date of `Expires` may be invalid.
    private static func isInDate(after before: Substring, before after: Substring, isValue: Bool) -> Bool {
        let rest = after.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") }
        guard rest.endIndex == after.endIndex || after.utf8[rest.endIndex] != UInt8(ascii: "="),
            let equals = before.utf8.firstIndex(of: UInt8(ascii: "="))
        else { return false }
        let name = before[..<equals].withoutOuterBlanks.lowercased()
        guard isValue || name == "expires" else { return false }
        let start = Substring(before.utf8[equals...].dropFirst()).withoutOuterBlanks
        let end = Substring(rest).withoutOuterBlanks
        if !isValue, !start.isEmpty, start.utf8.allSatisfy(ByteSet.letters.contains) {
            return end.utf8.first.map(ByteSet.digits.contains) ?? false
        }
        return HTTPDate.parse(String(start)) == nil && HTTPDate.parse("\(start), \(end)") != nil
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

    // MARK: - Parsing

    /// In bytes: name and value together, and an attribute's value (RFC 6265bis, section 5.6).
    private static let (maximumSize, maximumAttributeSize) = (4_096, 1_024)

    private init?(_ text: Substring) {
        let pair = text.utf8.prefix { $0 != UInt8(ascii: ";") }
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), !text.utf8.contains(where: Self.isInvalid) else {
            return nil
        }
        name = String(text[..<equals].withoutOuterBlanks)
        value = String(Substring(pair[equals...].dropFirst()).withoutOuterBlanks)
        guard !name.isEmpty, name.utf8.count + value.utf8.count <= Self.maximumSize else { return nil }
        readings = [Self.attributes(of: text)]
    }

    /// A control character but a tab (RFC 6265bis, section 5.6).
    private static func isInvalid(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

    /// The attributes that count, behind the first semicolon.
    private static func attributes(of text: Substring) -> [String: String] {
        var attributes: [String: String] = [:]
        for part in text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).dropFirst() {
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let name = Substring(part[..<equals]).withoutOuterBlanks
            let value = Substring(part[equals...].dropFirst()).withoutOuterBlanks
            guard name.utf8.count <= 7, value.utf8.count <= maximumAttributeSize else { continue }
            let key = name.lowercased()
            guard known.contains(key) else { continue }
            // The last that is valid counts (RFC 6265, section 5.2). A single one is checked when it is used.
            if attributes[key] == nil || isValid(String(value), of: key) { attributes[key] = String(value) }
        }
        return attributes
    }

    private static func isValid(_ value: String, of name: String) -> Bool {
        switch name {
        case "max-age": maximumAge(value) != nil
        case "expires": HTTPDate.parse(value) != nil
        default: true
        }
    }

    private static let known: Set = ["secure", "path", "domain", "max-age", "expires"]

    // MARK: - Cookies

    /// The cookie, if a server at the URL may set it (RFC 6265, section 5.3). Of several readings, the strictest counts, and a
    /// cookie is not kept if there is none. Cookies that the other readings would replace are removed.
    func cookies(from url: URL, at now: Date) -> [Teapot.Cookie] {
        let read = readings.map { cookie($0, from: url, at: now) }
        let cookies = read.compactMap(\.self)
        guard read.count > 1, let strictest = cookies.max(by: { $0.path.utf8.count < $1.path.utf8.count }) else {
            return cookies
        }
        let isClear =
            cookies.count == read.count
            && cookies.allSatisfy {
                $0.domain == strictest.domain && CookieJar.matches(strictest.path, cookiePath: $0.path)
            }
        let isSecure = cookies.contains(where: \.isSecure)
        let expires = cookies.compactMap(\.expires).min()
        return cookies.map { cookie in
            var cookie = cookie
            cookie.isSecure = isSecure
            cookie.expires = isClear && cookie.path == strictest.path ? expires : .distantPast
            return cookie
        }
    }

    private func cookie(_ attributes: [String: String], from url: URL, at now: Date) -> Teapot.Cookie? {
        guard let host = url.host()?.lowercased(), let domain = Self.domain(attributes["domain"], for: host) else {
            return nil
        }
        let (isSecure, isHTTPS) = (attributes["secure"] != nil, url.scheme?.lowercased() == "https")
        guard hasRightPrefix(attributes), !isSecure || isHTTPS else { return nil }
        return Teapot.Cookie(
            name: name,
            value: value,
            domain: domain,
            path: Self.path(attributes["path"], for: url),
            expires: Self.expiry(attributes, at: now),
            isSecure: isSecure || mayBeSecure && isHTTPS
        )
    }

    /// Whether the attributes match the prefix of the name (RFC 6265bis, section 4.1.3).
    private func hasRightPrefix(_ attributes: [String: String]) -> Bool {
        let name = name.lowercased()
        if name.hasPrefix("__host-") {
            return attributes["secure"] != nil && attributes["domain"] == nil && attributes["path"] == "/"
        }
        return !name.hasPrefix("__secure-") || attributes["secure"] != nil
    }

    /// The domain, with a leading dot for all its hosts and without one for this host only; `nil` if the host does not belong
    /// to it. There is no list of public suffixes: only domains of one label, such as `com`, are too wide, unless the host is that
    /// (step 5).
    private static func domain(_ attribute: String?, for host: String) -> String? {
        guard let attribute = attribute?.lowercased() else { return host }
        let domain = attribute.hasPrefix(".") ? String(attribute.dropFirst()) : attribute
        guard !domain.isEmpty else { return host }
        let isTooWide = domain.split(separator: ".").count < 2
        if domain == host { return isAddress(host) || isTooWide ? host : "." + domain }
        return !isTooWide && !isAddress(host) && host.hasSuffix("." + domain) ? "." + domain : nil
    }

    /// Whether a host is an address, which has no domain: an IPv6 address, or a host that ends in a number, such as `0x7f.1`
    /// (https://url.spec.whatwg.org/#ends-in-a-number-checker).
    static func isAddress(_ host: String) -> Bool {
        guard !host.contains(":"), let last = host.split(separator: ".").last?.lowercased() else { return true }
        guard last.hasPrefix("0x") else { return last.allSatisfy(\.isNumber) }
        return last.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    private static func path(_ attribute: String?, for url: URL) -> String {
        if let attribute, attribute.hasPrefix("/") { return attribute }
        let path = url.path(percentEncoded: true)
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// A numeric `Max-Age` takes precedence over `Expires` (RFC 6265, section 5.2.2).
    private static func expiry(_ attributes: [String: String], at now: Date) -> Date? {
        if let age = attributes["max-age"].flatMap(maximumAge) {
            return age > 0 ? now.addingTimeInterval(min(age, 1e9)) : .distantPast
        }
        return attributes["expires"].flatMap(HTTPDate.parse)
    }

    /// In seconds; `nil` if it is not a number.
    private static func maximumAge(_ text: String) -> Double? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        return digits.utf8.allSatisfy(ByteSet.digits.contains) ? Double(text) : nil
    }
}
