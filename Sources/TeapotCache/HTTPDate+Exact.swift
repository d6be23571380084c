import Teapot

extension HTTPDate {
    /// A date in one of the three forms of RFC 9110, section 5.6.7, in letters of any case; `nil` for any other text,
    /// such as a date with a zone, which a reader could take for another time.
    static func parseExactly(_ text: String) -> Date? {
        let isLetter = { (byte: UInt8) in UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
        let dayLength = text.utf8.prefix(while: isLetter).count
        // The text after the day, with `a` for each letter and `0` for each digit.
        let rest = text.utf8.dropFirst(dayLength).map { byte in
            isLetter(byte) ? UInt8(ascii: "a") : ByteSet.digits.contains(byte) ? UInt8(ascii: "0") : byte
        }
        let lowered = text.lowercased()
        let isRight =
            switch String(decoding: rest, as: UTF8.self) {
            case ", 00 aaa 0000 00:00:00 aaa": dayLength == 3 && lowered.hasSuffix("gmt")
            case ", 00-aaa-00 00:00:00 aaa": dayLength > 5 && lowered.hasSuffix("gmt")
            case " aaa 00 00:00:00 0000", " aaa  0 00:00:00 0000": dayLength == 3
            default: false
            }
        let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        return isRight && days.contains(where: lowered.hasPrefix) ? parse(text) : nil
    }
}
