import Foundation

/// Percent-encoding by RFC 3986, byte by byte. Foundation either rejects a URL with an invalid character or encodes all
/// of it again, `%2B` to `%252B`, so Teapot prepares the text itself.
package enum PercentEncoding {
    /// RFC 3986, section 2.3.
    private static let unreserved = ByteSet(ByteSet.alphanumerics + "-._~")
    /// The characters of a path or a query that need no encoding (RFC 3986, sections 3.3 and 3.4).
    private static let kept = ByteSet(ByteSet.alphanumerics + "-._~%/?:@!$&'()*+,;=")
    private static let keptInForm = ByteSet(ByteSet.alphanumerics + "*-._")

    /// Encodes characters that a URL cannot contain, such as spaces and non-ASCII text, and keeps the rest, escapes included.
    static func encodeStray(_ text: Substring) -> String { encode(String(text), keeping: kept) }
    /// Encodes everything but unreserved characters, so that a form decoder restores the same text.
    static func encodeAll(_ text: String) -> String { encode(text, keeping: unreserved) }
    /// Encodes a name or a value of a form (https://url.spec.whatwg.org/#concept-urlencoded-byte-serializer).
    static func encodeForm(_ text: String) -> String { encode(text, keeping: keptInForm, isForm: true) }

    /// Whether each `%` is followed by two hexadecimal digits (RFC 3986, section 2.1).
    static func hasOnlyWholeEscapes(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        for mark in bytes.indices where bytes[mark] == UInt8(ascii: "%") {
            guard mark < bytes.count - 2, value(ofDigit: bytes[mark + 1]) != nil, value(ofDigit: bytes[mark + 2]) != nil
            else { return false }
        }
        return true
    }

    /// The value of a hexadecimal digit; `nil` for another byte.
    package static func value(ofDigit byte: UInt8) -> UInt8? {
        if byte >= 0x30, byte <= 0x39 { return byte & 0xF }
        let letter = byte | 0x20
        return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : nil
    }

    /// Spells escapes in uppercase (RFC 3986, section 6.2.2.1).
    static func uppercaseEscapes(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var bytes = Array(text.utf8)
        for index in bytes.indices.dropLast(2) where bytes[index] == UInt8(ascii: "%") {
            guard value(ofDigit: bytes[index + 1]) != nil, value(ofDigit: bytes[index + 2]) != nil else { continue }
            for digit in index + 1...index + 2 where bytes[digit] >= UInt8(ascii: "a") { bytes[digit] -= 0x20 }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A value as written, and, if it may be encoded, decoded from a URL and from a form.
    package static func decodings(of value: String) -> [String] {
        guard value.utf8.contains(UInt8(ascii: "%")) || value.utf8.contains(UInt8(ascii: "+")) else { return [value] }
        let form = value.replacingOccurrences(of: "+", with: " ")
        return [value, value.removingPercentEncoding ?? value, form.removingPercentEncoding ?? value]
    }

    private static func encode(_ text: String, keeping kept: ByteSet, isForm: Bool = false) -> String {
        guard !kept.contains(allOf: text) else { return text }
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if kept.contains(byte) {
                encoded.append(byte)
            } else if isForm, byte == UInt8(ascii: " ") {
                encoded.append(UInt8(ascii: "+"))
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(digit(byte >> 4))
                encoded.append(digit(byte & 15))
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The hexadecimal digit of a value, in uppercase.
    static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}
