import Teapot

/// The pairs in a `Cookie` or `Set-Cookie` header field, of which FoundationNetworking joins several with commas.
enum CookieText {
    /// Whether a header field is `Cookie` or `Set-Cookie`.
    static func isCookie(_ name: String) -> Bool { name.isField("Cookie") || name.isField("Set-Cookie") }

    /// The names and values without attributes. A `Cookie` field has no attributes, and a comma in it is part of a value.
    static func pairs(in field: String, of name: String) -> [HARField] {
        var texts: [Substring] = []
        if name.isField("Cookie") {
            texts = field[...].parts(between: ";")
        } else {
            // Chrome puts several cookies in one field, separated by line breaks.
            for cookie in field.filledLines.flatMap(SetCookie.texts) {
                if let text = cookie[...].parts(between: ";").first { texts.append(text) }
            }
        }
        var pairs: [HARField] = []
        for text in texts {
            guard let sign = text.firstIndex(of: "=") else { continue }
            let name = text[..<sign].trimmingCharacters(in: .whitespaces)
            let value = text[sign...].dropFirst().trimmingCharacters(in: .whitespaces)
            if !name.isEmpty { pairs.append(HARField(name, value.trimmingCharacters(in: ["\""]))) }
        }
        return pairs
    }

    /// A `Cookie` field, or a `Set-Cookie` field of one cookie, in which only the names and the known attributes are left.
    static func replacingValues(in field: String, of name: String, _ replace: (String) -> String) -> String {
        let isSet = name.isField("Set-Cookie")
        var parts: [String] = []
        for part in field[...].parts(between: ";", omittingEmpty: false) {
            if part.isEmpty || isSet && !parts.isEmpty && isAttribute(part) {
                parts.append(String(part))
            } else if let sign = part.firstIndex(of: "=") {
                let value = part[sign...].dropFirst().trimmingCharacters(in: [" ", "\t", "\""])
                parts.append(part[...sign] + (value.isEmpty ? "" : replace(value)))
            } else {
                parts.append(replace(String(part)))
            }
        }
        return parts.joined(separator: ";")
    }

    private static func isAttribute(_ part: Substring) -> Bool {
        let pair = part.parts(between: "=", omittingEmpty: false)
        return pair.count < 3 && attributes.contains(pair[0].trimmingCharacters(in: .whitespaces).lowercased())
    }

    private static let attributes = [
        "secure", "httponly", "partitioned", "path", "domain", "max-age", "expires", "samesite", "priority",
    ]
}

extension SecretValues {
    /// Adds the values of the cookies in a `Cookie` or `Set-Cookie` header field, also of a cookie whose value contains a comma.
    mutating func add(_ name: String, cookies field: String) {
        for cookie in CookieText.pairs(in: field, of: name) { add(value: cookie.value) }
        for line in field.filledLines {
            if let whole = CookieText.pairs(in: line, of: "Cookie").first { add(value: whole.value) }
        }
    }
}
