import Foundation
import LoopbackServer

/// Bytes that are JSON, or nearly so.
struct JSONDocument {
    let data: Data

    private static let escapes = [
        #"\""#, #"\\"#, #"\/"#, #"\b"#, #"\f"#, #"\n"#, #"\r"#, #"\t"#, #"\u0041"#, #"\u00e9"#, #"\uFEFF"#, #"\u0000"#,
        #"\u001F"#, #"\u20AC"#, #"\uFFFF"#, #"\uD83D\uDE00"#, #"\ud834\udd1e"#, #"\uDBFF\uDFFF"#, #"\u0301"#,
    ]
    private static let badEscapes = [
        #"\uD800"#, #"\uDC00"#, #"\uD800\u0041"#, #"\uD800x"#, #"\uD800\n"#, #"\uDE00\uD83D"#, #"\uD800\uD800"#, #"\x"#,
        #"\u12"#, #"\u12G4"#, #"\u"#, #"\U0041"#, #"\u+123"#, #"\'"#, #"\0"#, #"\u 123"#, #"\u{41}"#, #"\é"#,
        #"\u00é9"#,
    ]
    private static let letters = [
        "a", "b", "ab", "/", "'", ",", ":", "{", "]", " ", "\u{7F}", "\u{80}", "ä", "é", "e\u{301}", "\u{301}", "ß",
        "中",
        "😀", "\u{FEFF}", "\u{FEFF}\u{FEFF}", "\u{FFFD}", "\u{10FFFF}", "\u{85}", "\u{2028}", "\u{FFFE}",
    ]
    private static let badBytes: [[UInt8]] = [
        [0], [1], [0x0A], [0x1F], [0x80], [0xBF], [0xC0, 0x80], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xEF, 0xBB],
        [0xF0, 0x9F, 0x98], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF8], [0xFE], [0xFF],
        [0xE0, 0x80, 0x80],
    ]
    private static let numbers = [
        "0", "-0", "-0.0", "0.0", "-0e0", "0E5", "9007199254740991", "9007199254740992", "9007199254740993",
        "-9007199254740993", "9007199254740993.0", "9223372036854775806", "9223372036854775807", "9223372036854775808",
        "-9223372036854775807", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
        "18446744073709551616", "999999999999999999", "-999999999999999999", "9999999999999999999", "2147483647",
        "-2147483648", "1e308", "1e400", "-1e400", "1e-400", "1.7976931348623157e308", "1.7976931348623159e308",
        "1E400",
        "4.9e-324", "2.4703282292062328e-324", "2.2250738585072011e-308", "1e127", "1e128", "1e-128", "1e-129", "1e22",
        "1e23", "0.1", "0.30000000000000004", "123456789012345678e5", "123456789012345678E5", "123456789012345678e128",
        "12345678901234567890123456789012345678901234567890", "0.00000000000000000", "1.00000000000000000", "100.0",
        "1e00000000000000000001", "1E-00000000000000000001", "99999999999999999999e9999999999999999999",
    ]
    private static let badNumbers = [
        "-", "+1", "01", "-01", "00", "1.", ".5", "-.5", "1.e5", "1e", "1e+", "1e+-1", "1.5.5", "1e5.5", "1e5e5", "--1",
        "0x10", "NaN", "Infinity", "-Infinity", "1_000", "1a", "١", "1-", "1+1", "2.-3", "0e", "0.e",
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

    /// - Parameter generator: Draws the document.
    init(_ generator: inout SeededGenerator) {
        // One flaw in most documents would hide all others.
        var writer = Writer(isFlawed: generator.oneIn(4))
        if generator.oneIn(30) {
            writer.writeDeep(&generator)
        } else {
            writer.write(depth: generator.number(0...4), &generator)
        }
        var bytes = writer.bytes
        if generator.oneIn(3) { bytes = Mutation.damage(bytes, times: generator.number(1...3), &generator) }
        if generator.oneIn(12) { bytes.removeLast(generator.number(0...bytes.count)) }
        if generator.oneIn(15) {
            bytes += generator.pick(["1", "{}", ",", "]", "}", "\0", " \0", "null", "\"", " "]).utf8
        }
        if generator.oneIn(15) {
            let start: [UInt8] = generator.pick([
                [0xEF, 0xBB, 0xBF], [0xEF, 0xBB], [0xFF, 0xFE], [0xFE, 0xFF], [0, 0, 0xFE, 0xFF], [0xFF, 0xFE, 0, 0],
                [0],
                [0, 0], [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF],
            ])
            bytes = start + bytes
        }
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

    private struct Writer {
        let isFlawed: Bool
        var bytes: [UInt8] = []

        private func isFlawed(_ count: Int, _ generator: inout SeededGenerator) -> Bool {
            isFlawed && generator.oneIn(count)
        }

        mutating func write(depth: Int, _ generator: inout SeededGenerator) {
            writeBlank(&generator)
            switch generator.number(0...(depth > 0 ? 9 : 5)) {
            case 0, 1: writeString(&generator)
            case 2, 3, 4: writeNumber(&generator)
            case 5: bytes += generator.pick(isFlawed(10, &generator) ? badWords : words).utf8
            case 6: writeArray(depth: depth, &generator)
            case 7: writeAlike(depth: depth, &generator)
            default: writeObject(depth: depth, names: nil, &generator)
            }
            writeBlank(&generator)
        }

        private mutating func writeBlank(_ generator: inout SeededGenerator) {
            guard generator.oneIn(6) else { return }
            bytes += generator.pick(isFlawed(10, &generator) ? badBlanks : blanks).utf8
        }

        private mutating func writeString(_ generator: inout SeededGenerator) {
            bytes.append(0x22)
            let isPlain = generator.oneIn(2)
            for _ in 0..<generator.number(0...8) {
                switch generator.number(0...(isPlain ? 1 : 5)) {
                case 0, 1: bytes += repeatElement(generator.pick([0x61, 0x20, 0x7E]), count: generator.number(0...12))
                case 2, 3: bytes += generator.pick(letters).utf8
                case 4: bytes += generator.pick(isFlawed(8, &generator) ? badEscapes : escapes).utf8
                default: if isFlawed(8, &generator) { bytes += generator.pick(badBytes) }
                }
            }
            if !isFlawed(20, &generator) { bytes.append(0x22) }
        }

        private mutating func writeNumber(_ generator: inout SeededGenerator) {
            switch generator.number(0...9) {
            case 0, 1: bytes += generator.pick(numbers).utf8
            case 2: bytes += "\(Int.random(in: .min ... .max, using: &generator) >> generator.number(0...63))".utf8
            case 3: bytes += "\(Double.random(in: -1000...1000, using: &generator))".utf8
            case 4: bytes += "\(Double(bitPattern: generator.next()))".utf8
            case 5 where isFlawed(4, &generator): bytes += generator.pick(badNumbers).utf8
            case 6: bytes += "\(UInt64.random(in: 0 ... .max, using: &generator) >> generator.number(0...12))".utf8
            default:
                let count = generator.number(1...generator.pick([3, 8, 18, 40]))
                if generator.oneIn(3) { bytes += "-".utf8 }
                bytes += generator.oneIn(3) ? [0x30] : [0x31] + digits(count, &generator)
                if generator.oneIn(2) {
                    bytes += ".".utf8 + digits(generator.number(1...generator.pick([2, 18, 30])), &generator)
                }
                if generator.oneIn(4) {
                    bytes += generator.pick(["e", "E", "e-", "E+", "e+", "E-"]).utf8
                    bytes += digits(generator.number(1...3), &generator)
                }
            }
        }

        private func digits(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
            (0..<count).map { _ in generator.oneIn(4) ? 0x30 : .random(in: 0x30...0x39, using: &generator) }
        }

        private mutating func writeArray(depth: Int, _ generator: inout SeededGenerator) {
            writeList("[", "]", &generator) { $0.write(depth: depth - 1, &$1) }
        }

        private mutating func writeObject(depth: Int, names: [String]?, _ generator: inout SeededGenerator) {
            var rest = names?[...]
            writeList("{", "}", count: names?.count, &generator) { writer, generator in
                if let name = rest?.popFirst() ?? (generator.oneIn(2) ? generator.pick(JSONDocument.names) : nil) {
                    writer.bytes += "\"\(name)\"".utf8
                } else {
                    writer.writeString(&generator)
                }
                writer.writeBlank(&generator)
                if !writer.isFlawed(30, &generator) { writer.bytes.append(0x3A) }
                writer.write(depth: depth - 1, &generator)
            }
        }

        /// Objects whose names are the same, or nearly so.
        private mutating func writeAlike(depth: Int, _ generator: inout SeededGenerator) {
            var names = (0..<generator.number(0...5)).map { _ in generator.pick(JSONDocument.names) }
            writeList("[", "]", &generator) { writer, generator in
                if !names.isEmpty, generator.oneIn(4) {
                    names[generator.number(0...names.count - 1)] = generator.pick(JSONDocument.names)
                }
                writer.writeObject(depth: depth - 1, names: names, &generator)
            }
        }

        private mutating func writeList(
            _ start: String,
            _ end: String,
            count: Int? = nil,
            _ generator: inout SeededGenerator,
            _ write: (inout Self, inout SeededGenerator) -> Void
        ) {
            bytes += start.utf8
            writeBlank(&generator)
            let count = count ?? generator.number(0...4)
            for index in 0..<count {
                if index > 0, !isFlawed(30, &generator) { bytes.append(0x2C) }
                writeBlank(&generator)
                write(&self, &generator)
            }
            // Foundation accepts a comma after the last one, and no comma without one.
            if generator.oneIn(10), count > 0 || isFlawed { bytes.append(0x2C) }
            writeBlank(&generator)
            bytes += (isFlawed(30, &generator) ? generator.pick(["]", "}", ""]) : end).utf8
        }

        /// Around the greatest depth.
        mutating func writeDeep(_ generator: inout SeededGenerator) {
            let levels = generator.pick([3, 64, 509, 510, 511, 512, 513, 514, 2_000])
            let objects = (0..<levels).map { _ in generator.oneIn(2) }
            for isObject in objects { bytes += (isObject ? #"{"a":"# : "[").utf8 }
            if generator.oneIn(2) || objects.last == true { write(depth: 2, &generator) }
            for isObject in objects.reversed() { bytes += (isObject ? "}" : "]").utf8 }
            if isFlawed { bytes.removeLast(generator.number(0...levels)) }
        }
    }
}
