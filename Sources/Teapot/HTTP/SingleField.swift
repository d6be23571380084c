import Foundation

/// The rule for header fields that are not lists, which a response should have only once (RFC 9110, section 5.3).
///
/// If such a field comes more than once, equal values count once. Of different values the first counts where a wrong one does no
/// harm. Otherwise the value is all of them, joined: it is not a valid one, so that no redirect and no download relies on it.
///
/// `URLSession` on Linux joins values with a comma and a space, as `CurlTransport` and recordings do, so the rule is for joined
/// values.
enum SingleField {
    /// The fields, and whether the first of different values counts.
    private static let takesFirst: [FieldName: Bool] = [
        "age": true, "content-type": true, "date": true, "etag": true, "last-modified": true, "retry-after": true,
        // Response splitting can add these, or a wrong one damages a file or makes an old response new, or their own commas are
        // not known.
        "content-disposition": false, "content-length": false, "content-location": false, "content-range": false,
        "expires": false, "location": false, "server": false,
    ]

    /// The value that counts, of one or several joined ones; that of a list, or of an unknown field, is unchanged.
    static func value(_ joined: String, of name: String) -> String {
        guard joined.utf8.contains(UInt8(ascii: ",")), let takesFirst = takesFirst[FieldName(name)] else {
            return joined
        }
        if let value = repeated(in: joined) { return value }
        guard takesFirst else { return joined }
        let first = first(in: joined)
        // A date in an old form may have its comma anywhere.
        let isWhole = !isDate(name) || RetryAfter.seconds(first) != nil || HTTPDate.parse(first) != nil
        return first.utf8.count == joined.utf8.count || isWhole ? first : joined
    }

    private static func isDate(_ name: String) -> Bool {
        ["date", "last-modified", "retry-after"].contains(FieldName(name))
    }

    /// The value that a text repeats; `nil` if it does not.
    private static func repeated(in joined: String) -> String? {
        // Each value with a comma and a blank, which the last one does not have.
        var text = joined + ", "
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return nil }
            var length = 2
            while length <= bytes.count / 2 {
                if bytes.count % length == 0, memcmp(start, start + length, bytes.count - length) == 0 {
                    return String(decoding: bytes.prefix(length - 2), as: UTF8.self)
                }
                length += 1
            }
            return nil
        }
    }

    /// The text before the first comma that is not within quotation marks, and does not follow the name of a day, as in
    /// `Sat, 21 Nov 2026 10:00:00 GMT`.
    private static func first(in joined: String) -> String {
        var (isQuoted, isEscaped, isWord) = (false, false, true)
        for (index, byte) in zip(joined.utf8.indices, joined.utf8) {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = isQuoted
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: guard isWord else { return String(joined[..<index]) }
            default: break
            }
            isWord = isWord && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        return joined
    }

    /// Whether a `Location` is that of several fields: more than one part begins like a path or a URL. A space is not valid in a
    /// URL, but a comma is.
    static func hasSeveralLocations(_ value: String) -> Bool {
        value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).dropFirst().contains { part in
            guard part.first == UInt8(ascii: " ") else { return false }
            let location = part.dropFirst()
            let scheme = location.prefix(while: schemeBytes.contains)
            return location.first == UInt8(ascii: "/")
                || scheme.first.map(ByteSet.letters.contains) == true
                    && location[scheme.endIndex...].starts(with: "://".utf8)
        }
    }

    private static let schemeBytes = ByteSet(ByteSet.alphanumerics + "+.-")
}
