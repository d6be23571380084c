import Foundation

package enum HTTPDate {
    /// A date by the rules for a cookie's `Expires` (RFC 6265, section 5.1.1), as servers write more forms than date
    /// formats can express, such as two-digit years. A zone is ignored. `nil` if the text is not a date.
    package static func parse(_ text: String) -> Date? {
        var (time, day, month, year): ([Int]?, Int?, Int?, Int?)
        for token in delimiters.parts(of: text) {
            if time == nil, let found = Self.time(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let index = months.firstIndex(of: token.prefix(3).lowercased()) {
                month = index + 1
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found < 70 ? found + 2_000 : found < 100 ? found + 1_900 : found
            }
        }
        guard let time, let day, let month, let year, year >= 1_601 else { return nil }
        guard time[0] < 24, time[1] < 60, time[2] < 60 else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = DateComponents(year: year, month: month, day: day, hour: time[0], minute: time[1], second: time[2])
        // `date(from:)` turns the 30th of February into a day in March.
        guard let date = calendar.date(from: parts), calendar.component(.day, from: date) == day else { return nil }
        return date
    }

    private static let delimiters = ByteSet("\t !\"#$%&'()*+,-./;<=>?@[\\]^_`{|}~")
    private static let colon = ByteSet(":")
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static func time(_ token: String) -> [Int]? {
        guard token.utf8.contains(UInt8(ascii: ":")) else { return nil }
        var fields: [Int] = []
        for field in colon.parts(of: token) where !field.isEmpty && fields.count < 3 {
            guard let number = number(field, digits: 1...2) else { return nil }
            fields.append(number)
        }
        return fields.count == 3 ? fields : nil
    }

    /// The number at the beginning of a token, if it has the right number of digits.
    private static func number(_ token: String, digits: ClosedRange<Int>) -> Int? {
        var (number, count) = (0, 0)
        for byte in token.utf8 {
            guard ByteSet.digits.contains(byte) else { break }
            count += 1
            guard count <= digits.upperBound else { return nil }
            number = number * 10 + Int(byte & 0x0F)
        }
        return count >= digits.lowerBound ? number : nil
    }
}
