import Foundation

/// Identifies a version of a file, byte for byte: the value of an `If-Range` (RFC 9110, section 13.1.5).
struct ResumeValidator {
    let text: String

    /// The strong validator of a response: an entity tag that is not weak, or else a date of modification at least a second
    /// before that of the response (section 8.8.2.2); `nil` if it has neither.
    init?(_ headers: Teapot.HeaderFields) {
        if let tag = headers["ETag"], !tag.isEmpty {
            guard Self.isValid(tag) else { return nil }
            text = tag
            return
        }
        guard let modified = headers["Last-Modified"], let modifiedDate = HTTPDate.parse(modified),
            let date = headers["Date"].flatMap({ HTTPDate.parse($0) }), modifiedDate <= date - 1
        else { return nil }
        text = modified
    }

    /// Whether a validator is an entity tag, not a date.
    static func isEntityTag(_ text: String) -> Bool { HTTPDate.parse(text) == nil || text.hasPrefix("\"") }

    /// Whether a text can be sent as a validator; weak tags cannot.
    static func isValid(_ text: String) -> Bool {
        !text.isEmpty && !text.hasPrefix("W/") && HeaderFieldRules.isValue(text)
    }
}
