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
    /// value is told from those between cookies by what follows it: a name and an equals sign.
    static func parse(_ field: String) -> [SetCookie] {
        var texts: [String] = []
        for piece in field.split(separator: ",", omittingEmptySubsequences: false) {
            let name = piece.prefix { $0 != ";" && $0 != "=" }.trimmingCharacters(in: .whitespaces)
            let startsCookie = piece.dropFirst(piece.prefix { $0 != ";" && $0 != "=" }.count).first == "="
            if let last = texts.last, !startsCookie || !HeaderFieldRules.isToken(name) {
                texts[texts.count - 1] = last + "," + piece
            } else {
                texts.append(String(piece))
            }
        }
        return texts.compactMap(SetCookie.init)
    }

    private init?(_ text: String) {
        let parts = text.split(separator: ";").map { part in
            part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
        guard let pair = parts.first, pair.count == 2, !pair[0].isEmpty, !text.holdsControlCharacters else {
            return nil
        }
        name = pair[0]
        value = pair[1]
        for part in parts.dropFirst() {
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
        if domain == host { return host.contains(where: \.isLetter) ? "." + domain : host }
        let isAddress = !host.contains(where: \.isLetter) || host.contains(":")
        return !isAddress && domain.contains(".") && host.hasSuffix("." + domain) ? "." + domain : nil
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
