import Foundation
import LoopbackServer

/// Bytes that are JSON, or nearly so.
struct JSONDocument {
    let data: Data

    // `JSONScannerTests` has more of each kind.
    private static let escapes = [
        #"\""#, #"\\"#, #"\/"#, #"\b"#, #"\n"#, #"\u0041"#, #"\u00e9"#, #"\uFEFF"#, #"\u0000"#, #"\uFFFF"#,
        #"\uD83D\uDE00"#, #"\uDBFF\uDFFF"#, #"\u0301"#,
    ]
    private static let badEscapes = [
        #"\uD800"#, #"\uDC00"#, #"\uD800\u0041"#, #"\uD800x"#, #"\uD800\uD800"#, #"\x"#, #"\u12"#, #"\u12G4"#, #"\u"#,
        #"\u+123"#, #"\'"#, #"\é"#, #"\u00é9"#,
    ]
    private static let letters = [
        "a", "ab", "/", "'", ",", ":", "{", "]", " ", "\u{7F}", "\u{80}", "é", "e\u{301}", "\u{301}", "中", "😀",
        "\u{FEFF}", "\u{FEFF}\u{FEFF}", "\u{FFFD}", "\u{10FFFF}", "\u{85}", "\u{2028}",
    ]
    private static let badBytes: [[UInt8]] = [
        [0], [0x0A], [0x1F], [0x80], [0xC0, 0x80], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xEF, 0xBB], [0xFE],
        [0xF0, 0x9F, 0x98], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE0, 0x80, 0x80],
    ]
    private static let numbers = [
        "0", "-0", "-0.0", "-0e0", "9007199254740991", "9007199254740993", "9007199254740993.0", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
        "18446744073709551616", "999999999999999999", "9999999999999999999", "1e400", "-1e400", "1e-400",
        "1.7976931348623159e308", "2.4703282292062328e-324", "1e127", "1e128", "1e-129", "0.30000000000000004",
        "123456789012345678E5", "123456789012345678e128", "0.00000000000000000", "1.00000000000000000",
        "1E-00000000000000000001", "99999999999999999999e9999999999999999999",
    ]
    private static let badNumbers = [
        "-", "+1", "01", "1.", ".5", "-.5", "1.e5", "1e", "1e+", "1e+-1", "1.5.5", "1e5.5", "--1", "0x10", "NaN",
        "-Infinity", "1_000", "1a", "١", "1-", "0.e",
    ]
    private static let words = ["true", "false", "null"]
    private static let badWords = [
        "tru", "True", "truex", "nul", "nulll", "fals", "falsey", "TRUE", "undefined", "t", "n",
    ]
    private static let blanks = [" ", "\n", "\r\n", "\t", "  ", "\r"]
    private static let badBlanks = ["\u{0C}", "\u{0B}", "\u{A0}", "\u{85}", "\u{FEFF}", "/**/", "//\n", "\u{2028}"]
    private static let names = [
        "a", "b", "id", "a", "\u{e9}", "e\u{301}", #"\u0061"#, #"\u00e9"#, "", "a\u{FEFF}", "name of it",
    ]
    private static let starts: [[UInt8]] = [
        [0xEF, 0xBB, 0xBF], [0xEF, 0xBB], [0xFF, 0xFE], [0xFE, 0xFF], [0, 0, 0xFE, 0xFF], [0xFF, 0xFE, 0, 0], [0],
        [0, 0], [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF],
    ]

    /// - Parameter generator: Draws the document.
    init(_ generator: inout SeededGenerator) {
        // One flaw in most documents would hide all others.
        var writer = Writer(isFlawed: generator.oneIn(4), generator: generator)
        var bytes = generator.oneIn(30) ? writer.deep() : writer.value(depth: generator.number(0...4))
        generator = writer.generator
        if generator.oneIn(3) { bytes = Mutation.damage(bytes, times: generator.number(1...3), &generator) }
        if generator.oneIn(12) { bytes.removeLast(generator.number(0...bytes.count)) }
        if generator.oneIn(15) {
            bytes += generator.pick(["1", "{}", ",", "]", "}", "\0", " \0", "null", "\"", " "]).utf8
        }
        if generator.oneIn(15) { bytes = generator.pick(Self.starts) + bytes }
        if generator.oneIn(40) {
            let encoding = generator.pick([
                String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
            ])
            bytes = String(decoding: bytes, as: UTF8.self).data(using: encoding).map(Array.init) ?? bytes
            if generator.oneIn(4) { bytes.removeLast(min(generator.number(0...3), bytes.count)) }
        }
        // A part of other data does not begin at index 0.
        data = generator.oneIn(10) ? Data([0x5B] + bytes).dropFirst() : Data(bytes)
    }

    /// Draws parts of a document.
    private struct Writer {
        let isFlawed: Bool
        var generator: SeededGenerator

        /// One of some texts, or, now and then, a bad one.
        private mutating func pick(_ texts: [String], or bad: [String], oneIn count: Int) -> [UInt8] {
            Array(generator.pick(isFlawed && generator.oneIn(count) ? bad : texts).utf8)
        }

        private mutating func blank() -> [UInt8] {
            generator.oneIn(6) ? pick(blanks, or: badBlanks, oneIn: 10) : []
        }

        mutating func value(depth: Int) -> [UInt8] {
            let before = blank()
            let value =
                switch generator.number(0...(depth > 0 ? 9 : 5)) {
                case 0, 1: string()
                case 2, 3, 4: number()
                case 5: pick(words, or: badWords, oneIn: 10)
                case 6: list("[", "]") { $0.value(depth: depth - 1) }
                case 7: alike(depth: depth - 1)
                default: object(depth: depth - 1, names: [])
                }
            return before + value + blank()
        }

        private mutating func string() -> [UInt8] {
            var bytes: [UInt8] = [0x22]
            let isPlain = generator.oneIn(2)
            for _ in 0..<generator.number(0...8) {
                switch generator.number(0...(isPlain ? 1 : 5)) {
                case 0, 1: bytes += repeatElement(generator.pick([0x61, 0x20, 0x7E]), count: generator.number(0...12))
                case 2, 3: bytes += generator.pick(letters).utf8
                case 4: bytes += pick(escapes, or: badEscapes, oneIn: 8)
                default: if isFlawed, generator.oneIn(8) { bytes += generator.pick(badBytes) }
                }
            }
            return bytes + pick(["\""], or: [""], oneIn: 20)
        }

        private mutating func number() -> [UInt8] {
            switch generator.number(0...9) {
            case 0, 1, 2: return pick(numbers, or: badNumbers, oneIn: 8)
            case 3: return Array("\(Int.random(in: .min ... .max, using: &generator) >> generator.number(0...63))".utf8)
            case 4: return Array("\(Double.random(in: -1000...1000, using: &generator))".utf8)
            case 5: return Array("\(Double(bitPattern: generator.next()))".utf8)
            case 6: return Array("\(generator.next() >> generator.number(0...12))".utf8)
            default:
                var bytes = Array(generator.pick(["", "", "-"]).utf8)
                bytes += generator.oneIn(3) ? [0x30] : [0x31] + digits(generator.pick([3, 8, 18, 40]))
                if generator.oneIn(2) { bytes += ".".utf8 + digits(generator.pick([2, 18, 30])) }
                if generator.oneIn(4) { bytes += generator.pick(["e", "E", "e-", "E+", "e+", "E-"]).utf8 + digits(3) }
                return bytes
            }
        }

        private mutating func digits(_ most: Int) -> [UInt8] {
            (0..<generator.number(1...most)).map { _ in
                generator.oneIn(4) ? 0x30 : .random(in: 0x30...0x39, using: &generator)
            }
        }

        /// An object whose members have these names, or as many and such as are drawn.
        private mutating func object(depth: Int, names: [String]) -> [UInt8] {
            var rest = names[...]
            return list("{", "}", count: names.isEmpty ? nil : names.count) { writer in
                let name =
                    rest.popFirst() ?? (writer.generator.oneIn(2) ? writer.generator.pick(JSONDocument.names) : nil)
                let start = name.map { Array("\"\($0)\"".utf8) } ?? writer.string()
                return start + writer.blank() + writer.pick([":"], or: [""], oneIn: 30) + writer.value(depth: depth)
            }
        }

        /// Objects whose names are the same, or nearly so.
        private mutating func alike(depth: Int) -> [UInt8] {
            var names = (0..<generator.number(1...5)).map { _ in generator.pick(JSONDocument.names) }
            return list("[", "]") { writer in
                if writer.generator.oneIn(4) {
                    names[writer.generator.number(0...names.count - 1)] = writer.generator.pick(JSONDocument.names)
                }
                return writer.object(depth: depth, names: names)
            }
        }

        private mutating func list(
            _ start: String,
            _ end: String,
            count: Int? = nil,
            _ item: (inout Self) -> [UInt8]
        ) -> [UInt8] {
            var bytes = Array(start.utf8) + blank()
            let count = count ?? generator.number(0...4)
            for index in 0..<count {
                bytes += (index > 0 ? pick([","], or: [""], oneIn: 30) : []) + blank() + item(&self)
            }
            // Foundation accepts a comma after the last one, and no comma without one.
            if generator.oneIn(10), count > 0 || isFlawed { bytes.append(0x2C) }
            return bytes + blank() + pick([end], or: ["]", "}", ""], oneIn: 30)
        }

        /// Around the greatest depth.
        mutating func deep() -> [UInt8] {
            let levels = generator.pick([3, 64, 509, 510, 511, 512, 513, 514, 2_000])
            let objects = (0..<levels).map { _ in generator.oneIn(2) }
            var bytes = objects.flatMap { Array(($0 ? #"{"a":"# : "[").utf8) }
            if generator.oneIn(2) || objects.last == true { bytes += value(depth: 2) }
            bytes += objects.reversed().map { $0 ? 0x7D : 0x5D }
            return isFlawed ? bytes.dropLast(generator.number(0...levels)) : bytes
        }
    }
}
