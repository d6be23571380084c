/// The rules for the names and values of header fields (RFC 9110, section 5).
package enum HeaderFieldRules {
    /// Whether the text is a token (RFC 9110, section 5.6.2).
    static func isToken(_ text: String) -> Bool { !text.isEmpty && tokenBytes.contains(allOf: text) }

    package static func isToken(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        !bytes.isEmpty && tokenBytes.contains(allOf: bytes)
    }

    /// Whether the text contains none of the octets that RFC 9110, section 5.5, calls dangerous: CR, LF and NUL.
    package static func isValue(_ text: String) -> Bool { dangerousOctets.contains(noneOf: text) }

    /// The text with a space for each of these octets.
    static func withoutDangerousOctets(_ text: String) -> String {
        isValue(text) ? text : dangerousOctets.parts(of: text).joined(separator: " ")
    }

    private static let dangerousOctets = ByteSet("\r\n\0")
    static let tokenBytes = ByteSet(ByteSet.alphanumerics + "!#$%&'*+-.^_`|~")
}
