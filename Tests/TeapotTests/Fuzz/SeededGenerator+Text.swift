import LoopbackServer

extension SeededGenerator {
    private static let marks =
        ("/ . .. ... // \\ @ : # ? & = ; + % - _ ~ ! * ' ( ) , $ [ ] { } < > | ^ ` \" "
        + "%2F %2f %5c %2e %2E%2E %00 %0d%0a %zz %C3%BC %c3 %E2%82").split(separator: " ").map(String.init)
    private static let controls = [
        " ", "\t", "\r", "\n", "\r\n", "\0", "\u{1}", "\u{1B}", "\u{7F}", "\u{85}", "\u{2028}", "\u{200B}", "\u{202E}",
    ]
    private static let letters = [
        "\u{301}", "\u{FEFF}", "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}", "ü", "u\u{308}", "ß", "İ", "😀", "👩‍👩‍👧", "中", "٣", "％",
        "／", "．",
    ]
    private static let words = [
        "", "a", "b", "Z", "0", "9", "users", "http://", "https:", "http://h", "//h", "h", "key=", "token", "null",
        "true",
        "NaN", "1e999", "-0",
    ]
    private static let pieces = marks + controls + letters + words

    /// Text of such pieces as parsers trip over.
    mutating func text(upTo length: Int = 8) -> String {
        let count = oneIn(200) ? 3_000 : number(0...length)
        let isPlain = oneIn(3)
        return (0..<count).map { _ in isPlain ? pick(["a", "b", "/", "1", "."]) : pick(Self.pieces) }.joined()
    }
}
