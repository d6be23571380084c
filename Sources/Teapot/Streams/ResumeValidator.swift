import Foundation

/// Identifies a version of a file, byte for byte: the value of an `If-Range` (RFC 9110, section 13.1.5).
struct ResumeValidator {
    let text: String

    /// The strong validator of a response, which is an entity tag that is not weak, or else a date of modification that tells versions
    /// apart; `nil` if the response has neither.
    init?(_ response: ResponseHead) {
        let tag = response.field("ETag").flatMap { $0.isEmpty ? nil : $0 }
        guard let text = tag ?? response.strongLastModified, Self.isValid(text) else { return nil }
        self.text = text
    }

    /// Whether a validator is an entity tag, not a date.
    static func isEntityTag(_ text: String) -> Bool { HTTPDate.parse(text) == nil || text.hasPrefix("\"") }

    /// Whether a text can be sent as a validator; weak tags cannot.
    static func isValid(_ text: String) -> Bool {
        !text.isEmpty && !text.hasPrefix("W/") && HeaderFieldRules.isValue(text)
    }
}
