import Foundation

/// Checks header fields before Teapot sends them.
///
/// Depending on how a field was set, FoundationNetworking drops it silently, cuts it off at a NUL, or lets a line break through
/// (and with it a second header field). So fields are checked here first.
package enum HeaderFieldRules {
    /// Only the transport sets the framing: a wrong length from a caller corrupts the connection for the next request on it.
    private static let reservedNames: Set<FieldName> = ["Content-Length", "Transfer-Encoding"]

    /// Checks the fields of a request, and removes a correct `Content-Length`: the transport writes its own.
    /// - Throws: `invalidHeaderField` as ``check(_:)``, and for a `Content-Length` that differs from the body's length (RFC
    ///   9110, section 8.6), with both numbers.
    static func checked(_ fields: [String: String], bodyLength: Int?) throws(TeapotError) -> [String: String] {
        guard let name = fields.keys.lazy.filter(isContentLength).min(), let value = fields[name] else {
            try check(fields)
            return fields
        }
        let digits = value.withoutOuterBlanks
        let length = bodyLength.map { "\($0) bytes" } ?? "an unknown length"
        guard !digits.isEmpty, digits.utf8.allSatisfy(ByteSet.digits.contains) else {
            throw .invalidHeaderField(reason: "\(name) is not a number; the body has \(length)")
        }
        guard Int(digits) == bodyLength else {
            throw .invalidHeaderField(reason: "\(name) is \(digits.prefix(20)), but the body has \(length)")
        }
        var others = fields
        others[name] = nil
        try check(others)
        return others
    }

    private static func isContentLength(_ name: String) -> Bool {
        name.utf8.count == 14 && FieldName(name) == "Content-Length"
    }

    /// Checks a caller's fields.
    /// - Throws: `invalidHeaderField`, with the name of the field and the rule; never with its value, which may be a secret.
    static func check(_ fields: [String: String]) throws(TeapotError) {
        var seen = Set<FieldName>()
        // Sorted for the same error each time, whatever the order of the dictionary.
        for (name, value) in fields.sortedFields {
            guard isToken(name) else {
                guard !name.isEmpty else { throw .invalidHeaderField(reason: "a name is empty") }
                // Only the beginning is shown, in case name and value, a secret, were swapped.
                let beginning = name.prefix { $0.utf8.allSatisfy(tokenBytes.contains) }.prefix(16)
                let which = beginning.isEmpty ? "with a character that is not allowed" : "with \"\(beginning)\""
                throw .invalidHeaderField(reason: "the name that begins \(which) is not a token")
            }
            guard !reservedNames.contains(FieldName(name)) else {
                throw .invalidHeaderField(reason: "\(name) is set by the transport")
            }
            guard fields.count == 1 || seen.insert(FieldName(name)).inserted else {
                throw .invalidHeaderField(reason: "\(name) is given twice, in different capitalization")
            }
            guard isValue(value) else {
                throw .invalidHeaderField(reason: "the value of \(name) contains a line break or a NUL")
            }
        }
    }

    /// Whether the text is a token (RFC 9110, section 5.6.2).
    static func isToken(_ text: String) -> Bool {
        var text = text
        return text.withUTF8(isToken)
    }

    package static func isToken(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy(tokenBytes.contains)
    }

    /// Whether the text contains none of the octets that RFC 9110, section 5.5, calls dangerous: CR, LF and NUL.
    package static func isValue(_ text: String) -> Bool { !text.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 } }

    /// The text with a space for each of these octets.
    static func withoutDangerousOctets(_ text: String) -> String {
        isValue(text)
            ? text : String(decoding: text.utf8.map { [0x0D, 0x0A, 0].contains($0) ? 0x20 : $0 }, as: UTF8.self)
    }

    private static let tokenBytes = ByteSet(ByteSet.alphanumerics + "!#$%&'*+-.^_`|~")
}
