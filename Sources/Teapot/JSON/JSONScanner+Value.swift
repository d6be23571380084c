extension JSONScanner {
    /// Takes one value: its place, and the content of a string. `nil` if it is not valid.
    mutating func takeValue() -> (range: Range<Int>, content: String?)? {
        let outerDepth = depth
        guard let first = next() else { return nil }
        var last = first
        while depth > outerDepth {
            guard let token = next() else { return nil }
            last = token
        }
        return (first.start..<last.end, first.kind == .string ? content(of: first) : nil)
    }

    /// The strings, and the numbers of 6 digits or more, in a text that is a JSON object or array.
    package static func strings(of text: String) -> [String] {
        guard text.first == "{" || text.first == "[" else { return [] }
        return Array(text.utf8).withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return [] }
            var (scanner, strings) = (JSONScanner(start, 0..<bytes.count), [String]())
            while let token = scanner.next(), let content = scanner.content(of: token) {
                var digits = 0
                for byte in bytes[token.range] where ByteSet.digits.contains(byte) { digits += 1 }
                if token.kind == .string || token.kind == .number && digits >= 6 { strings.append(content) }
            }
            return strings
        }
    }
}
