import Foundation

/// Replaces known secrets in text, plain, encoded for a URL (once or twice), a form or JSON, but not within a word.
struct SecretSearch: Sendable {
    /// In the order of their bytes, so that those with the same beginning are neighbors.
    private let secrets: [[UInt8]]
    /// The index of the first secret that begins with a byte, or with a larger one.
    private let starts: [Int]
    private let shortest: Int

    init(_ values: some Sequence<String>) {
        let secrets = Set(values).map { Array($0.utf8) }.filter { !$0.isEmpty }.sorted {
            $0.lexicographicallyPrecedes($1)
        }
        var starts = [Int](repeating: 0, count: 257)
        for secret in secrets { starts[Int(secret[0]) + 1] += 1 }
        for byte in 1..<starts.count { starts[byte] += starts[byte - 1] }
        (self.secrets, self.starts) = (secrets, starts)
        shortest = secrets.map(\.count).min() ?? .max
    }

    /// Whether data contains one of them unencoded, or takes too long to search.
    func isFound(in data: Data) -> Bool {
        let bytes = Array(data)
        var steps = Self.maximumSteps(bytes.count)
        return bytes.indices.contains { start in
            var candidates = indices(startingWith: bytes[start])
            var length = 1
            while !candidates.isEmpty {
                if secrets[candidates.lowerBound].count == length { return true }
                guard start + length < bytes.count else { return false }
                steps -= 1
                guard steps > 0 else { return true }
                candidates = narrowed(candidates, after: length, bytes[start + length])
                length += 1
            }
            return false
        }
    }

    /// A text with these secrets redacted. The rest of a text that takes too long to search is redacted, too.
    func redacted(_ text: String) -> String {
        guard shortest <= text.utf8.count else { return text }
        let bytes = Array(text.utf8)
        var steps = Self.maximumSteps(bytes.count)
        var redacted: [UInt8] = []
        var done = 0
        var position = 0
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "<"), bytes[position...].starts(with: Self.replacement) {
                position += Self.replacement.count
            } else if mayBeginSecret(bytes, at: position), !Self.isWord(before: position, in: bytes),
                let end = endOfSecret(in: bytes, at: position, &steps)
            {
                redacted += bytes[done..<position] + Self.replacement
                (done, position) = (end, end)
            } else {
                position += 1
            }
        }
        return done == 0 ? text : String(decoding: redacted + bytes[done...], as: UTF8.self)
    }

    /// The maximum number of comparisons of a character. Without a limit, the time could grow with the square of a text's length:
    /// a server can choose secrets that are nearly found at every place.
    private static func maximumSteps(_ length: Int) -> Int { 16 * (length + 64) }

    private func mayBeginSecret(_ text: [UInt8], at start: Int) -> Bool {
        Self.mayBeEncoded.contains(text[start]) || !indices(startingWith: text[start]).isEmpty
    }

    /// The end of the longest secret that begins at a position, or of the text if the search takes too long.
    private func endOfSecret(in text: [UInt8], at start: Int, _ steps: inout Int) -> Int? {
        var found: (length: Int, end: Int)?
        // A character may be encoded, once or twice, or stand for itself: all secrets that go on with one of them are looked at.
        var branches = [(candidates: secrets.indices, length: 0, position: start)]
        while var (candidates, length, position) = branches.popLast() {
            while !candidates.isEmpty {
                if secrets[candidates.lowerBound].count == length {
                    if length > found?.length ?? 0, !Self.isWord(at: position, in: text) { found = (length, position) }
                    candidates.removeFirst()
                }
                guard !candidates.isEmpty, position < text.count else { break }
                steps -= 1
                guard steps > 0 else { return text.count }
                let (byte, end) = Self.character(in: text, at: position)
                var next = (candidates: narrowed(candidates, after: length, byte), end: end)
                if Self.mayBeEncoded.contains(text[position]) {
                    for other in [(text[position], position + 1), Self.twiceEncoded(in: text, at: position)] {
                        guard let other, other != (byte, end) else { continue }
                        let others = narrowed(candidates, after: length, other.0)
                        if others.isEmpty { continue }
                        if next.candidates.isEmpty {
                            next = (others, other.1)
                        } else {
                            branches.append((others, length + 1, other.1))
                        }
                    }
                }
                length += 1
                (candidates, position) = next
            }
        }
        return found?.end
    }

    private func indices(startingWith byte: UInt8) -> Range<Int> { starts[Int(byte)]..<starts[Int(byte) + 1] }

    /// Those of some secrets with the same beginning, all longer than that, that go on with a byte.
    private func narrowed(_ candidates: Range<Int>, after length: Int, _ byte: UInt8) -> Range<Int> {
        guard length > 0 else { return indices(startingWith: byte) }
        let (first, last) = (secrets[candidates.lowerBound][length], secrets[candidates.upperBound - 1][length])
        if first == byte, last == byte { return candidates }
        guard first <= byte, byte <= last else { return 0..<0 }
        let start = firstIndex(in: candidates) { secrets[$0][length] >= byte }
        return start..<firstIndex(in: start..<candidates.upperBound) { secrets[$0][length] > byte }
    }

    /// The first index in a range from which on a condition is true; the range's end if it never is.
    private func firstIndex(in range: Range<Int>, where isTrue: (Int) -> Bool) -> Int {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end {
            let middle = start + (end - start) / 2
            if isTrue(middle) { end = middle } else { start = middle + 1 }
        }
        return start
    }

    /// Whether a word would continue at a position. Escapes such as `%41`, `%2541`, `\u0041` or `\n` count as decoded.
    private static func isWord(before end: Int, in text: [UInt8]) -> Bool {
        guard end > 0, wordBytes.contains(text[end - 1]) else { return false }
        if end > 1, text[end - 2] == UInt8(ascii: "\\"), escapes.contains(text[end - 1]) { return false }
        if end > 5, text[(end - 6)...].starts(with: "\\u".utf8), let byte = text.hexadecimal((end - 4)..<end) {
            return wordBytes.contains(byte)
        }
        guard end > 2, let byte = text.hexadecimal((end - 2)..<end) else { return true }
        var start = end - 3
        while start > 1, text[start] == UInt8(ascii: "5"), text[start - 1] == UInt8(ascii: "2") { start -= 2 }
        return text[start] != UInt8(ascii: "%") || wordBytes.contains(byte)
    }

    /// Whether a word goes on at a position.
    private static func isWord(at position: Int, in text: [UInt8]) -> Bool {
        position < text.count && wordBytes.contains(character(in: text, at: position).byte)
    }

    /// The character at a position: `%2F`, `+`, `\/` and `\u002f` each encode another byte.
    private static func character(in text: [UInt8], at position: Int) -> (byte: UInt8, end: Int) {
        let plain = (text[position], position + 1)
        switch text[position] {
        case UInt8(ascii: "+"):
            return (UInt8(ascii: " "), position + 1)
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

    /// The byte that an escape within an escape stands for, such as `%252F`.
    private static func twiceEncoded(in text: [UInt8], at position: Int) -> (byte: UInt8, end: Int)? {
        guard text[position...].starts(with: "%25".utf8) else { return nil }
        return text.hexadecimal((position + 3)..<(position + 5)).map { ($0, position + 5) }
    }

    /// Letters and digits. A byte above 7F may be a quotation mark: it is better to redact too much.
    private static let wordBytes = ByteSet(ByteSet.alphanumerics)
    private static let mayBeEncoded = ByteSet("%+\\")
    private static let escapes = ByteSet("bfnrt")
    private static let replacement = Array(SecretPolicy.replacement.utf8)
}
