import Teapot

/// The texts that replace the secrets of a recording: `redacted-1` for the first one, `redacted-2` for the second, and so on, so that
/// different values stay different. Nothing of it has to be escaped in a URL, a header field, a form, JSON or XML.
final class Placeholders {
    /// Those of the values, in each form in which one was met.
    private var numbers: [String: Int] = [:]
    private var lastNumber: Int
    /// The last number in an archive to which something is added.
    private let taken: Int
    /// Whether all values with secret names have one: what looks like a placeholder is one.
    var isComplete = false

    /// - Parameters:
    ///   - last: The last number that is taken.
    ///   - numbers: Those of known values.
    init(after last: Int = 0, _ numbers: [String: Int] = [:]) {
        lastNumber = last
        taken = last
        self.numbers = numbers
    }

    /// The placeholder of a secret, the same for each of its forms.
    func placeholder(for secret: String) -> String {
        if let own = Self.number(of: secret), own <= taken { return secret }
        // Of `token=redacted-1; Path=/`, the semicolon is read as a part.
        if isComplete, secret.prefixMatch(of: /redacted-[0-9]/) != nil { return secret }
        let forms = Self.forms(of: secret)
        let number = forms.lazy.compactMap { self.numbers[$0] }.first ?? newNumber(for: secret)
        // Base64 of another value is not a form of this one.
        for form in forms.prefix(4) where numbers[form] == nil { numbers[form] = number }
        return SecretPolicy.placeholder + String(number)
    }

    private func newNumber(for secret: String) -> Int {
        // A replay that is recorded keeps its numbers, if they come in order.
        if let own = Self.number(of: secret), own > lastNumber { lastNumber = own } else { lastNumber += 1 }
        return lastNumber
    }

    /// A value as it is, and as decoded from a URL, from a form, from a string of JSON and from base64.
    static func forms(of value: String) -> [String] {
        let bytes = value.utf8
        var forms = PercentEncoding.decodings(of: value)
        if bytes.contains(0x5C) || bytes.first == 0x22 {
            let text = bytes.first == 0x22 ? value : "\"\(value)\""
            forms.append(JSONScanner.value(of: Data(text.utf8)) as? String ?? value)
        }
        let base64 = value.replacing("-", with: "+").replacing("_", with: "/").filter { $0 != "=" }
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        let decoded = Data(base64Encoded: base64 + padding).flatMap { String(data: $0, encoding: .utf8) }
        return forms + Array(repeating: value, count: 4 - forms.count) + (decoded.map { [$0] } ?? [])
    }

    static func isPlaceholder(_ text: some StringProtocol) -> Bool { number(of: text) != nil }

    static func number(of text: some StringProtocol) -> Int? {
        guard text.hasPrefix(SecretPolicy.placeholder) else { return nil }
        let digits = text.dropFirst(SecretPolicy.placeholder.count)
        return digits.utf8.count < 10 && digits.utf8.allSatisfy(ByteSet.digits.contains) ? Int(digits) : nil
    }

    /// The greatest number of a placeholder in a text; 0 without one.
    static func lastNumber(in text: String) -> Int {
        text.split(separator: SecretPolicy.placeholder).compactMap { rest in
            number(of: SecretPolicy.placeholder + rest.prefix { ("0"..."9").contains($0) })
        }
        .max() ?? 0
    }
}
