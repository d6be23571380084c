import Foundation

/// The rule for header fields that are not lists, which a response should have only once (RFC 9110, section 5.3).
/// If such a field comes more than once, equal values count once. Of different values the first counts where a wrong value does no
/// harm. Otherwise the result is all values, joined, which is invalid, so that no redirect and no download relies on it.
/// The rule takes joined values because `URLSession` on Linux joins values with a comma and a space.
enum SingleField {
    /// The value that counts, of one or several joined ones; that of a list, or of an unknown field, is unchanged.
    static func value(_ joined: String, of name: String) -> String {
        guard joined.utf8.contains(UInt8(ascii: ",")) else { return joined }
        switch FieldName(name).lowercased {
        case "age", "content-type", "etag": return repeated(in: joined) ?? first(in: joined)
        case "date", "last-modified", "retry-after":
            if let value = repeated(in: joined) { return value }
            let first = first(in: joined)
            // A date in an old form may have its comma anywhere.
            return ResponseHead.seconds(first) != nil || HTTPDate.parse(first) != nil ? first : joined
        // Response splitting can add these, a wrong one damages a file or renews a response, or right ones may
        // have commas.
        case "content-disposition", "content-length", "content-location", "content-range", "expires", "location",
            "server":
            return repeated(in: joined) ?? joined
        default: return joined
        }
    }

    /// The value that a text repeats; `nil` if it does not.
    private static func repeated(in joined: String) -> String? {
        // Each value with a comma and a blank, which the last one does not have.
        var text = joined + ", "
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return nil }
            for length in 2..<bytes.count / 2 + 1
            where bytes.count % length == 0 && memcmp(start, start + length, bytes.count - length) == 0 {
                return String(decoding: bytes.prefix(length - 2), as: UTF8.self)
            }
            return nil
        }
    }

    /// The text before the first comma outside of quotation marks and not after a day, as in `Sat, 21 Nov 2026`.
    private static func first(in joined: String) -> String {
        var scanner = FieldScanner(joined)
        scanner.skip(ByteSet.letters)
        // This comma follows a word only.
        _ = scanner.take(",")
        scanner.skipItem()
        return scanner.text(0..<scanner.position)
    }

    /// Whether a `Location` comes from several fields: a part behind a comma and a space, which no URL contains, begins like a URL.
    static func hasSeveralLocations(_ value: String) -> Bool {
        ByteSet(",").parts(of: value).dropFirst().contains { part in
            var scanner = FieldScanner(part)
            guard scanner.take(" ") else { return false }
            if scanner.isAt("/") { return true }
            guard scanner.isAt(ByteSet.letters) else { return false }
            scanner.skip(schemeBytes)
            // Byte by byte: with a combining character behind it, the slash is another `Character`.
            return scanner.take(":") && scanner.take("/") && scanner.take("/")
        }
    }

    private static let schemeBytes = ByteSet(ByteSet.alphanumerics + "+.-")
}
