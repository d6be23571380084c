import Foundation
import TestSupport
import TestTraits
import Testing

@testable internal import Teapot

/// Documents at the edges of what JSON allows. `JSONScannerFuzzTests` compares more with `JSONSerialization`.
@Suite(.inTurn)
struct JSONScannerTests {
    @Test(
        arguments: [
            "", " ", "[]", "{}", "null", " true ", "tru", "truex", "1 2", "1 \"", "\"", "\"a", "{}{}", "[1 2]", "[1}",
            "{\"a\" 1}",
            "[1,]", "{\"a\":1,}", "[,]", "{,}", "[1,,]", "{\"a\":}", "{1:1}", "{\"a\",\"b\"}", "[\"a\":1]", "[1\u{0C}]",
            #"{"a":1,"a":2}"#, "{\"\u{E9}\":1,\"e\u{301}\":2}",
            #"[{"a":1,"b":2},{"a":3,"b":4},{"a":5,"b":6},{"b":7,"a":8}]"#,
            #"[{"a":1,"a":2},{"a":3,"a":4},{"a":5,"a":6}]"#, "[{\"\u{E9}\":1},{\"\u{E9}\":2},{\"e\u{301}\":3}]",
            #"[{"\x":1},{"\x":1}]"#, #"{"a":[{"b":[{}]},{"b":[{}]},{"b":[{}]}]}"#, #"{"a":1e400}"#,
            #"{"a":1e400,"a":1}"#,
        ] as [String]
    )
    func `reads and refuses the same documents as Foundation`(text: String) {
        #expect(JSONComparison.problems(Data(text.utf8)) == [])
    }

    @Test(
        arguments: [
            #""\"\\\/\b\f\n\r\t\u00e9\uFEFF\u0000""#, #""\ud83e\uded6""#, #""\ud83e""#, #""\uded6""#, #""\ud83e\n""#,
            #""\ud83eu""#,
            #""\ud83e\u0041""#, #""\u12""#, #""\u12G4""#, #""\x""#, #""\"#, #""\u"#, #""abcdefgh\"#,
            "\"\u{FEFF}a\\n\u{FEFF}\u{FEFF}b\"",
            "\"\u{1F}\"", "\"1234567\u{1F}\"", "\"12345678\u{7F}\u{80}äöü中😀\"", "\"1234567\\\"\"", "\"\u{FEFF}\"",
            "[\"\",\" \"]",
        ] as [String]
    )
    func `has the same strings`(text: String) {
        #expect(JSONComparison.problems(Data(text.utf8)) == [])
    }

    @Test(
        arguments: [
            "0", "-0", "-0.0", "1.0", "12.50", "-12.5", "1e3", "1E-3", "1e400", "-1e400", "1e-400", "01", "-", "+1",
            ".5",
            "1.", "1.e1",
            "1e", "1e+", "1a", "NaN", "9007199254740992", "9007199254740993", "900719925474099.3", "90071992547409.93",
            "999999999999999999", "-999999999999999999", "9223372036854775807", "9223372036854775808",
            "-9223372036854775807",
            "-9223372036854775808", "9999999999999999999", "18446744073709551615", "18446744073709551616",
            "0.30000000000000004",
            "-122.4194155000000", "-122.41941550000001", "0.10000000000000000", "1.7976931348623157e308",
            "1.7976931348623159e308",
            "5e-324", "12345678901234567890.5", "123456789012345678e2", "123456789012345678E2",
            "1e-0000000000000000001",
        ] as [String]
    )
    func `has the same numbers`(text: String) {
        #expect(JSONComparison.problems(Data(text.utf8)) == [])
        #expect(JSONComparison.problems(Data("[\(text),\(text)]".utf8)) == [])
    }

    @Test(
        arguments: [
            [], [0], [0, 0], [0x31, 0], [0, 0x31], [0x31, 0, 0, 0], [0xFF, 0xFE, 0x31, 0], [0xFE, 0xFF, 0, 0x31],
            [0xEF, 0xBB, 0xBF, 0x31],
            [0xEF, 0xBB, 0xBF], [0xEF, 0xBB], [0x5B, 0x31, 0x5D, 0], [0x5B, 0x31, 0x32, 0x33, 0x5D, 0],
            [0x22, 0xFF, 0x22],
            [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22],
            [0x22, 0xC3, 0x5C, 0x6E, 0xA4, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x5B, 0x5B, 0x5B, 0x22, 0xFE, 0x22, 0x5D, 0x5D, 0x5D],
        ] as [[UInt8]]
    )
    func `has the same bytes`(bytes: [UInt8]) {
        #expect(JSONComparison.problems(Data(bytes)) == [])
        #expect(JSONComparison.problems(Data([0x5B] + bytes).dropFirst()) == [])
    }

    @Test(arguments: [511, 512, 513], ["[", #"{"a":"#])
    func `has the same depth on a small stack`(depth: Int, start: String) async {
        let end = start == "[" ? "]" : "1" + String(repeating: "}", count: depth)
        let text = String(repeating: start, count: depth) + (start == "[" ? String(repeating: end, count: depth) : end)
        let isRead = await onSmallStack { JSONScanner.value(of: Data(text.utf8)) != nil }
        #expect(isRead == (depth <= 512))
        #expect(JSONComparison.problems(Data(text.utf8)) == [])
    }
}
