import Foundation

/// Redacts what has a name in text: the value of `name=value`, as in a query or a form, and the user information of URLs.
///
/// Text that was redacted stays unchanged when it is redacted again.
struct ItemRedactor {
    private let policy: SecretPolicy
    private let text: [UInt8]
    /// The names that were looked up: many items have the same ones.
    private var known: [String: Bool] = [:]
    /// The replaced values, in order, without the quotation marks around them.
    private(set) var secrets: [String] = []

    init(of text: String, by policy: SecretPolicy) {
        self.text = Array(text.utf8)
        self.policy = policy
    }

    mutating func redacted() -> String {
        var redacted: [UInt8] = []
        var (done, position) = (0, 0)
        while position < text.count {
            let mark = text.firstIndex(in: Self.marks, from: position)
            position = mark + 1
            guard mark < text.count,
                let secret = text[mark] == UInt8(ascii: "=")
                    ? value(after: mark, from: done) : userInformation(at: mark),
                !text[secret.lowerBound...].starts(with: SecretPolicy.replacement.utf8)
            else { continue }
            redacted += text[done..<secret.lowerBound] + SecretPolicy.replacement.utf8
            let value = String(decoding: text[secret], as: UTF8.self).trimmingCharacters(in: ["\""])
            if !value.isEmpty { secrets.append(value) }
            done = secret.upperBound
            position = max(done, position)
        }
        return String(decoding: redacted + text[done...], as: UTF8.self)
    }

    /// `token=value`, and `token="a value"`.
    private mutating func value(after equalsSign: Int, from start: Int) -> Range<Int>? {
        let name = text[start..<equalsSign].suffix(Self.maximumNameLength).reversed()
            .prefix { Self.nameBytes.contains($0) || $0 > 0x7F }
        guard !name.isEmpty, isSecret(String(decoding: name.reversed(), as: UTF8.self)) else { return nil }
        let value = equalsSign + 1
        let isQuoted = text[value...].first == UInt8(ascii: "\"")
        let end = text.firstIndex(in: isQuoted ? Self.quotes : Self.itemEnds, from: isQuoted ? value + 1 : value)
        return value..<min(isQuoted ? end + 1 : end, text.count)
    }

    private mutating func isSecret(_ name: String) -> Bool {
        if let isSecret = known[name] { return isSecret }
        let isSecret = policy.isSecret(name.removingPercentEncoding ?? name)
        if known.count < 256 { known[name] = isSecret }
        return isSecret
    }

    /// `//user:password@host` (RFC 3986, section 3.2.1).
    private func userInformation(at slash: Int) -> Range<Int>? {
        guard text[slash...].starts(with: "//".utf8) else { return nil }
        let start = slash + 2
        let end = text.firstIndex(in: Self.authorityEnds, from: start)
        return text[start..<end].lastIndex(of: UInt8(ascii: "@")).map { start..<$0 }
    }

    private static let maximumNameLength = 128
    private static let marks = ByteSet("=/")
    private static let nameBytes = ByteSet(ByteSet.alphanumerics + "_-.$[]%")
    private static let quotes = ByteSet("\"")
    private static let itemEnds = ByteSet("&# \t\r\n\"<>")
    private static let authorityEnds = ByteSet("/?# \t\r\n\"<>")
}
