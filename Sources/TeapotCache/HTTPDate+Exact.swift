import Teapot

extension HTTPDate {
    /// A date in one of the three forms of RFC 9110, section 5.6.7, in letters of any case: nothing that a reader could take for
    /// another time, such as one with a zone.
    /// - Returns: The date; `nil` if the text has another form.
    static func parseExactly(_ text: String) -> Date? {
        let shape = String(
            decoding: text.utf8.map { byte in
                ByteSet.digits.contains(byte)
                    ? UInt8(ascii: "0")
                    : UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 ? UInt8(ascii: "a") : byte
            },
            as: UTF8.self
        )
        let (day, date) = (shape.prefix { $0 == "a" }.count, shape.drop { $0 == "a" })
        let isRight =
            switch date {
            case ", 00 aaa 0000 00:00:00 aaa": day == 3 && isInGMT(text)
            case ", 00-aaa-00 00:00:00 aaa": day > 5 && isInGMT(text)
            case " aaa 00 00:00:00 0000", " aaa  0 00:00:00 0000": day == 3
            default: false
            }
        return isRight && days.contains(text.prefix(3).lowercased()) ? parse(text) : nil
    }

    private static let days: Set<String> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    private static func isInGMT(_ text: String) -> Bool { text.suffix(3).lowercased() == "gmt" }
}
