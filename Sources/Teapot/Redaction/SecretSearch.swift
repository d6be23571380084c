import Foundation

/// Replaces known secrets anywhere in text: plain, in base64, percent-encoded (RFC 3986, section 2.1; a space may be `+`), and
/// escaped as in JSON.
struct SecretSearch: Sendable {
    /// By their first bytes, the longest first.
    private let secrets: [UInt32: [[UInt8]]]

    init(_ values: some Sequence<String>) {
        let forms = Set(values.flatMap(Self.forms)).map { Array($0.utf8) }.filter { $0.count >= Self.keySize }
        secrets = Dictionary(grouping: forms.sorted { $0.count > $1.count }) { Self.key($0[..<Self.keySize]) }
    }

    /// The texts to look for; the escapes in them are read where they are met.
    private static func forms(of secret: String) -> [String] {
        let base64 = Data(secret.utf8).base64EncodedString().trimmingCharacters(in: ["="])
        let forURLs = base64.replacing("+", with: "-").replacing("/", with: "_")
        return [secret, secret.replacing(" ", with: "+"), base64, forURLs]
    }

    /// A text with these secrets redacted. The rest of a text that takes too long to search is redacted, too.
    func redacted(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var steps = Self.maximumSteps(bytes.count)
        var redacted: [UInt8] = []
        var (done, position) = (0, 0)
        while position < bytes.count {
            if bytes[position] == Self.replacement[0], bytes[position...].starts(with: Self.replacement) {
                position += Self.replacement.count
            } else if let end = endOfSecret(in: bytes, at: position, &steps) {
                redacted += bytes[done..<position] + Self.replacement
                (done, position) = (end, end)
            } else {
                position += 1
            }
        }
        return done == 0 ? text : String(decoding: redacted + bytes[done...], as: UTF8.self)
    }

    /// Whether data contains one of them, or takes too long to search.
    func isFound(in data: Data) -> Bool {
        let bytes = Array(data)
        var steps = Self.maximumSteps(bytes.count)
        return bytes.indices.contains { endOfSecret(in: bytes, at: $0, &steps) != nil }
    }

    /// The maximum number of comparisons of a character. Without a limit, the time could grow with the square of a text's length:
    /// a server can choose secrets that are nearly found at every place.
    private static func maximumSteps(_ length: Int) -> Int { 16 * (length + 64) }

    /// The end of the longest secret that begins at a position, or of the text if the search takes too long.
    private func endOfSecret(in text: [UInt8], at start: Int, _ steps: inout Int) -> Int? {
        guard start + Self.keySize <= text.count else { return nil }
        let plain = text[start..<(start + Self.keySize)]
        if let end = longest(of: secrets[Self.key(plain)], in: text, at: start, &steps) { return end }
        guard plain.contains(where: Self.escapeStarts.contains) else { return nil }
        var (decoded, position) = ([UInt8](), start)
        while decoded.count < Self.keySize, position < text.count {
            let (byte, end) = Self.character(in: text, at: position)
            decoded.append(byte)
            position = end
        }
        return longest(of: secrets[Self.key(decoded[...])], in: text, at: start, &steps)
    }

    private func longest(of secrets: [[UInt8]]?, in text: [UInt8], at start: Int, _ steps: inout Int) -> Int? {
        for secret in secrets ?? [] {
            // A secret may itself contain what looks like an escape.
            for readsEscapes in [false, true] {
                var position = start
                let isFound = secret.allSatisfy { byte in
                    guard position < text.count else { return false }
                    steps -= 1
                    let (decoded, end) = Self.character(in: text, at: position)
                    let isPlain = text[position] == byte && !(readsEscapes && decoded == byte)
                    position = isPlain ? position + 1 : end
                    return isPlain || decoded == byte
                }
                guard steps > 0 else { return text.count }
                if isFound { return position }
            }
        }
        return nil
    }

    /// The character at a position: `%2F`, `\/` and `\u002f` each stand for another byte.
    private static func character(in text: [UInt8], at position: Int) -> (byte: UInt8, end: Int) {
        let plain = (text[position], position + 1)
        switch text[position] {
        case UInt8(ascii: "%"):
            return text.hexadecimal((position + 1)..<(position + 3)).map { ($0, position + 3) } ?? plain
        case UInt8(ascii: "\\") where position + 1 < text.count:
            let next = text[position + 1]
            guard next == UInt8(ascii: "u") else { return "\"\\/".utf8.contains(next) ? (next, position + 2) : plain }
            // Above 7F a character is several bytes.
            let byte = text.hexadecimal((position + 2)..<(position + 6)).flatMap { $0 < 0x80 ? $0 : nil }
            return byte.map { ($0, position + 6) } ?? plain
        default:
            return plain
        }
    }

    private static let keySize = 4

    private static func key(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static let escapeStarts = ByteSet("%\\")
    private static let replacement = Array(SecretPolicy.replacement.utf8)
}
