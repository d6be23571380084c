internal import Teapot

/// The pairs in a `Cookie` or `Set-Cookie` header field, of which FoundationNetworking joins several with commas.
enum CookieText {
    /// Whether a header field is one of them.
    static func isCookie(_ name: String) -> Bool { ["cookie", "set-cookie"].contains(name.lowercased()) }

    /// Names and values, attributes left out. In `Cookie` there are none, and a comma is part of a value.
    static func pairs(in field: String, of name: String) -> [HARField] {
        let isSent = name.lowercased() == "cookie"
        return field.split { $0 == ";" || !isSent && ($0 == "," || $0 == "\n") }.compactMap { part in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2, !pair[0].isEmpty, isSent || !attributes.contains(pair[0].lowercased()) else {
                return nil
            }
            return HARField(pair[0], pair[1].trimmingCharacters(in: ["\""]))
        }
    }

    private static let attributes: Set<String> = ["expires", "max-age", "domain", "path", "samesite", "priority"]
}
