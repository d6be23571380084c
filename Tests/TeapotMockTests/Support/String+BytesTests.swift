import TestTraits
import Testing

@testable import TeapotMock

@Suite(.inTurn)
struct StringBytesTests {
    @Test(
        arguments: [
            ("0", 10, 0), ("0042", 10, 42), ("3C", 16, 0x3C), ("ffffffff", 16, 0xFFFF_FFFF),
            ("999999999999999", 10, 999_999_999_999_999), ("1000000000000000", 10, nil), ("", 10, nil), ("-1", 10, nil),
            ("1a", 10, nil), ("\u{661}", 10, nil),
        ] as [(String, Int, Int?)]
    )
    func `a number has up to 15 digits`(text: String, radix: Int, number: Int?) {
        #expect(text.number(radix: radix) == number)
    }

    @Test(arguments: [
        ("", "", true), ("a", "a", true), ("a", "b", false), ("a", "ab", false), ("\u{E9}", "e\u{301}", false),
    ])
    func `texts are the same by their bytes`(one: String, other: String, isSame: Bool) {
        #expect(one.isSame(as: other) == isSame)
    }

    @Test func `lines end in any way`() { #expect("a\r\n\nb\rc".filledLines == ["a", "b", "c"]) }
}
