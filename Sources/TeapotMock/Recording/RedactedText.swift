import Teapot

/// Text of a recording, in which `<redacted>` matches any text.
struct RedactedText: Sendable {
    let text: String

    /// The number of redacted parts.
    var gaps: Int { text.ranges(of: SecretPolicy.replacement).count }

    /// The number of bytes that are compared.
    var comparedSize: Int { text.utf8.count - gaps * SecretPolicy.replacement.utf8.count }

    /// Whether a text equals this one byte for byte, except for redacted parts.
    func matches(_ received: String) -> Bool {
        let replacement = SecretPolicy.replacement
        guard text.contains(replacement) else { return text.utf8.elementsEqual(received.utf8) }
        var parts = text.split(separator: replacement, omittingEmptySubsequences: false).map { Array($0.utf8) }
        let (first, last) = (parts.removeFirst(), parts.removeLast())
        var rest = Array(received.utf8)[...]
        guard rest.starts(with: first) else { return false }
        rest = rest.dropFirst(first.count)
        for part in parts where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
    }
}
