/// The texts that identify a version of a file, byte for byte: the values of `If-Range` (RFC 9110, section 13.1.5).
enum ResumeValidator {
    /// The strong validator of a response, which is an entity tag that is not weak, or else a date of modification that tells versions
    /// apart; `nil` if the response has neither.
    static func of(_ response: ResponseHead) -> String? {
        let tag = response.field("ETag").flatMap { $0.isEmpty ? nil : $0 }
        guard let text = tag ?? response.strongLastModified, isValid(text) else { return nil }
        return text
    }

    /// Whether a validator is an entity tag, not a date.
    static func isEntityTag(_ text: String) -> Bool { HTTPDate.parse(text) == nil || text.hasPrefix("\"") }

    /// Whether a text can be sent as a validator; weak tags cannot.
    static func isValid(_ text: String) -> Bool {
        !text.isEmpty && !text.hasPrefix("W/") && HeaderFieldRules.isValue(text)
    }
}
