internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// One cookie as a server sets it (RFC 6265, section 5.2).
struct SetCookie {
    private let name: String
    private let value: String
    private var attributes: [String: String] = [:]

    /// Reads a `Set-Cookie` header field, of which FoundationNetworking joins several with commas. A comma in a date or a
    /// value is told from those between cookies by what follows it: a name and an equals sign. Of very many the last count.
    static func parse(_ field: String) -> [SetCookie] {
        var texts: [Substring] = []
        for piece in field.split(separator: ",", omittingEmptySubsequences: false) {
            let name = piece.prefix { $0 != ";" && $0 != "=" }
            let startsCookie = name.endIndex < piece.endIndex && piece[name.endIndex] == "="
            if let last = texts.last, !startsCookie || !isName(name) {
                texts[texts.count - 1] = field[last.startIndex..<piece.endIndex]
            } else {
                texts.append(piece)
            }
        }
        return texts.suffix(KeptCookies.limitOfDomain).compactMap(SetCookie.init)
    }

    private static func isName(_ text: Substring) -> Bool {
        text.utf8.count <= maximumSize && HeaderFieldRules.isToken(text.trimmingCharacters(in: .whitespaces))
    }

    /// In bytes, of name and value together, and of an attribute's value (RFC 6265bis, section 5.6).
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
    func cookie(from url: URL, at now: Date) -> HTTPCookie? {
        guard let host = url.host()?.lowercased(), let domain = domain(for: host) else { return nil }
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: domain, .path: path(for: url),
        ]
        guard hasRightPrefix else { return nil }
        if attributes["secure"] != nil {
            guard url.scheme?.lowercased() == "https" else { return nil }
            properties[.secure] = "TRUE"
        }
        if let expiry = expiry(at: now) { properties[.expires] = expiry }
        return HTTPCookie(properties: properties)
    }

    /// What a name may promise (RFC 6265bis, section 4.1.3).
    private var hasRightPrefix: Bool {
        let name = name.lowercased()
        if name.hasPrefix("__host-") {
            return attributes["secure"] != nil && attributes["domain"] == nil && attributes["path"] == "/"
        }
        return !name.hasPrefix("__secure-") || attributes["secure"] != nil
    }

    /// A domain with a leading dot for all its hosts, without one for this host only; `nil` when the host does not belong to
    /// it. Without the list of public suffixes, only those of one label, such as `com`, are known to be too wide.
    private func domain(for host: String) -> String? {
        guard let attribute = attributes["domain"]?.lowercased(), !attribute.isEmpty else { return host }
        let domain = attribute.hasPrefix(".") ? String(attribute.dropFirst()) : attribute
        if domain == host { return Self.isAddress(host) ? host : "." + domain }
        let isTooWide = domain.split(separator: ".").count < 2
        return !isTooWide && !Self.isAddress(host) && host.hasSuffix("." + domain) ? "." + domain : nil
    }

    /// Whether a host is an address, which has no domain: one of IPv6, or what ends in a number, as `0x7f.1` does
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

    /// `Max-Age` goes before `Expires`, if it is a number (RFC 6265, section 5.2.2).
    private func expiry(at now: Date) -> Date? {
        let text = attributes["max-age"] ?? ""
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        if let age = Double(text), digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
            return age > 0 ? now.addingTimeInterval(min(age, 1e9)) : .distantPast
        }
        return attributes["expires"].flatMap(CookieDate.parse)
    }
}
