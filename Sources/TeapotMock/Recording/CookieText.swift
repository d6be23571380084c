import Teapot

/// The pairs in a `Cookie` or `Set-Cookie` header field, of which FoundationNetworking joins several with commas.
enum CookieText {
    /// Whether a header field is `Cookie` or `Set-Cookie`.
    static func isCookie(_ name: String) -> Bool { ["Cookie", "Set-Cookie"].contains(FieldName(name)) }

    /// The names and values without attributes. In `Cookie` there are none, and a comma is part of a value.
    static func pairs(in field: String, of name: String) -> [HARField] {
        let texts =
            FieldName(name) == "Cookie"
            ? field.split(separator: ";")
            // Chrome puts several cookies in one field, separated by line breaks.
            : field.split(whereSeparator: \.isNewline).flatMap { SetCookie.texts(in: String($0)) }.compactMap {
                $0.split(separator: ";").first
            }
        return texts.compactMap { text in
            let pair = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2, !pair[0].isEmpty else { return nil }
            return HARField(pair[0], pair[1].trimmingCharacters(in: ["\""]))
        }
    }

    /// A `Cookie` field, or a `Set-Cookie` field of one cookie, in which only the names and the known attributes are left.
    static func replacingValues(in field: String, of name: String, _ replace: (String) -> String) -> String {
        let isSet = FieldName(name) == "Set-Cookie"
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            if isSet, index > 0, isAttribute(part) { return String(part) }
            guard let sign = part.firstIndex(of: "=") else { return part.isEmpty ? "" : replace(String(part)) }
            let value = part[sign...].dropFirst().trimmingCharacters(in: [" ", "\t", "\""])
            return part[...sign] + (value.isEmpty ? "" : replace(value))
        }
        .joined(separator: ";")
    }

    private static func isAttribute(_ part: Substring) -> Bool {
        let pair = part.split(separator: "=", omittingEmptySubsequences: false)
        return pair.count < 3 && attributes.contains(pair[0].trimmingCharacters(in: .whitespaces).lowercased())
    }

    private static let attributes: Set = [
        "secure", "httponly", "partitioned", "path", "domain", "max-age", "expires", "samesite", "priority",
    ]
}

extension SecretValues {
    /// Adds the values of the cookies in a `Cookie` or `Set-Cookie` header field, also of a cookie whose value contains a comma.
    mutating func add(_ name: String, cookies field: String) {
        let whole = field.split(whereSeparator: \.isNewline).flatMap {
            CookieText.pairs(in: String($0), of: "Cookie").prefix(1)
        }
        for cookie in CookieText.pairs(in: field, of: name) + whole { add(value: cookie.value) }
    }
}
