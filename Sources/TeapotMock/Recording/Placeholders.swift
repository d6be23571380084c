import Teapot

/// The texts that replace the secrets of a recording: `redacted-1` for the first one, `redacted-2` for the second, and so on, so that
/// different values stay different. A placeholder needs no escape in a URL, a header field, a form, JSON or XML.
final class Placeholders {
    /// The numbers of the values, by each form in which a value was met.
    private var numbers: [String: Int] = [:]
    private var lastNumber: Int
    /// The last number in an archive to which something is added.
    private let taken: Int
    /// Whether all values with secret names have a placeholder. Then a text that looks like a placeholder is one.
    var isComplete = false

    init(after last: Int = 0, _ numbers: [String: Int] = [:]) {
        lastNumber = last
        taken = last
        self.numbers = numbers
    }

    /// The placeholder of a secret, the same for each of its forms.
    func placeholder(for secret: String) -> String {
        let own = Self.number(of: secret)
        if let own, own <= taken { return secret }
        // In `token=redacted-1; Path=/`, the semicolon is read as a part of the value.
        if isComplete, secret.prefixMatch(of: /redacted-[0-9]/) != nil { return secret }
        let forms = Self.forms(of: secret)
        var known: Int?
        for form in forms where known == nil { known = numbers[form] }
        // A recording of a replay keeps the numbers, if they come in order.
        if known == nil { lastNumber = max(own ?? 0, lastNumber + 1) }
        let number = known ?? lastNumber
        // Base64 of another value is not a form of this one.
        for form in forms.prefix(4) where numbers[form] == nil { numbers[form] = number }
        return SecretPolicy.placeholder + String(number)
    }

    /// A value as it is, and as decoded from a URL, from a form, from a string of JSON and from base64.
    static func forms(of value: String) -> [String] {
        let bytes = value.utf8
        var forms = PercentEncoding.decodings(of: value)
        if bytes.contains(0x5C) || bytes.first == 0x22 {
            let text = bytes.first == 0x22 ? value : "\"\(value)\""
            forms.append(JSONScanner.value(of: text.encoded) as? String ?? value)
        }
        let base64 = value.replacing("-", with: "+").replacing("_", with: "/").filter { $0 != "=" }
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        let decoded = Data(base64Encoded: base64 + padding).flatMap { String(data: $0, encoding: .utf8) }
        while forms.count < 4 { forms.append(value) }
        if let decoded { forms.append(decoded) }
        return forms
    }

    static func isPlaceholder(_ text: String) -> Bool { number(of: text) != nil }

    /// The number of a placeholder, which has fewer than ten digits.
    static func number(of text: String) -> Int? {
        guard text.hasPrefix(SecretPolicy.placeholder) else { return nil }
        let digits = String(text.dropFirst(SecretPolicy.placeholder.count))
        return digits.utf8.count < 10 ? digits.number() : nil
    }

    /// The greatest number of a placeholder in a text; 0 without one.
    static func lastNumber(in text: String) -> Int {
        var last = 0
        for rest in text.split(separator: SecretPolicy.placeholder) {
            last = max(last, number(of: SecretPolicy.placeholder + rest.prefix { ("0"..."9").contains($0) }) ?? 0)
        }
        return last
    }
}
