extension JSONScanner {
    /// Takes one value: its place, and the content of a string. `nil` if it is not valid.
    mutating func takeValue() -> (range: Range<Int>, content: String?)? {
        var (first, depth) = (nil as Token?, 0)
        while let token = next() {
            first = first ?? token
            switch token.kind {
            case .open: depth += 1
            case .close: depth -= 1
            case .name, .string, .number, .word: break
            }
            guard depth == 0, token.kind != .name, let first else { continue }
            return (first.start..<token.end, token.kind == .string && first.start == token.start ? content(of: token) : nil)
        }
        return nil
    }
}
