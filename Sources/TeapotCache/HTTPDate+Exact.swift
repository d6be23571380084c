import Teapot

extension HTTPDate {
    /// A date in one of the three forms of RFC 9110, section 5.6.7, in letters of any case; `nil` for any other text,
    /// such as a date with a zone, which a reader could take for another time.
    static func parseExactly(_ text: String) -> Date? {
        // The letters of the day, and the rest with `a` for each letter and `0` for each digit.
        var (dayLength, rest) = (0, [UInt8]())
        for byte in text.utf8 {
            let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
            if isLetter, rest.isEmpty {
                dayLength += 1
            } else {
                let isDigit = ByteSet.digits.contains(byte)
                rest.append(isLetter ? UInt8(ascii: "a") : isDigit ? UInt8(ascii: "0") : byte)
            }
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
