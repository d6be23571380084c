import Foundation

extension TextRedactor {
    /// Redacts secrets in the values of items, such as those of a query or a form, which may contain a URL, JSON or other
    /// items, encoded. Text before the first secret and after the last one of a value keeps its encoding. `redact` takes
    /// decoded values.
    static func redacted(itemsOf text: String, _ redact: (String) -> String) -> String {
        let text = Array(text.utf8)
        var redacted: [UInt8] = []
        var done = 0
        while let equalsSign = text[done...].firstIndex(of: UInt8(ascii: "=")) {
            var end = equalsSign + 1
            while end < text.count {
                // Text that was redacted before is part of the value.
                let isRedacted = text[end...].starts(with: replacement)
                guard isRedacted || !itemEnds.contains(text[end]) else { break }
                end += isRedacted ? replacement.count : 1
            }
            redacted += text[done...equalsSign] + value((equalsSign + 1)..<end, of: text, redact)
            done = end
        }
        return String(decoding: redacted + text[done...], as: UTF8.self)
    }

    private static func value(_ range: Range<Int>, of text: [UInt8], _ redact: (String) -> String) -> [UInt8] {
        let value = text[range]
        guard value.contains(UInt8(ascii: "%")) else { return Array(value) }
        let (bytes, sources) = decoded(range, of: text)
        let old = String(decoding: bytes, as: UTF8.self)
        let redacted = redact(old)
        guard redacted != old else { return Array(value) }
        let new = Array(redacted.utf8)
        // Bytes that are not UTF-8 cannot be found again.
        let isSame = old.utf8.elementsEqual(bytes)
        let gaps = redacted.ranges(of: SecretPolicy.replacement)
        let gap =
            gaps.first.map { redacted.utf8.distance(from: redacted.startIndex, to: $0.lowerBound) } ?? new.count
        let rest = gaps.last.map { redacted.utf8.distance(from: $0.upperBound, to: redacted.endIndex) } ?? 0
        let head = isSame ? zip(bytes, new.prefix(gap)).prefix { $0 == $1 }.count : 0
        let tail =
            isSame
            ? zip(bytes.dropFirst(head).reversed(), new.suffix(rest).reversed()).prefix { $0 == $1 }.count : 0
        return value[sources[0]..<sources[head]] + encoded(new[head..<(new.count - tail)])
            + value[sources[bytes.count - tail]..<value.endIndex]
    }

    /// The decoded bytes and the position of each; the last position is the end.
    private static func decoded(_ range: Range<Int>, of text: [UInt8]) -> (bytes: [UInt8], sources: [Int]) {
        var bytes: [UInt8] = []
        var sources: [Int] = []
        var position = range.lowerBound
        while position < range.upperBound {
            sources.append(position)
            let end = position + 3
            if text[position] == UInt8(ascii: "%"), end <= range.upperBound,
                let byte = text.hexadecimal((position + 1)..<end)
            {
                bytes.append(byte)
                position = end
            } else {
                bytes.append(text[position] == UInt8(ascii: "+") ? UInt8(ascii: " ") : text[position])
                position += 1
            }
        }
        return (bytes, sources + [range.upperBound])
    }

    /// Encodes everything but redacted text.
    private static func encoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let replacement = SecretPolicy.replacement
        let parts = String(decoding: text, as: UTF8.self).split(
            separator: replacement,
            omittingEmptySubsequences: false
        )
        return Array(parts.map { PercentEncoding.encodeAll(String($0)) }.joined(separator: replacement).utf8)
    }
}
