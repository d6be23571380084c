@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct HeaderFieldRulesTests {
    @Test(arguments: [
        [:], ["Accept": "*/*"], ["X-Empty": ""], ["x!#$%&'*+-.^_`|~09": "v"], ["X-Tab": "a\tb"],
        ["X-Text": "ü 😀 \u{7F}"],
        ["Host": "h"], ["Content-Type": "text/plain"], ["Content-Length-X": "1"], ["Accept": "a", "Accept-X": "b"],
    ])
    func `allow valid fields`(fields: [String: String]) {
        #expect(throws: Never.self) { try HeaderFieldRules.check(fields) }
    }

    @Test(
        arguments: [
            (["": "v"], "a name is empty"), (["X Y": "v"], "is not a token"), (["X:": "v"], "is not a token"),
            (["X\r\nY": "v"], "is not a token"), (["X\0": "v"], "is not a token"),
            (["Ä": "v"], "begins with a character that is not allowed is not a token"),
            (["\u{301}": "v"], "is not a token"),
            (["X": "a\rhush"], "a line break or a NUL"), (["X": "a\nhush"], "a line break or a NUL"),
            (["X": "a\r\nY: hush"], "a line break or a NUL"), (["X": "hush\0"], "a line break or a NUL"),
            (["X": "hush\n\u{301}"], "a line break or a NUL"), (["X": "\n"], "a line break or a NUL"),
            (["Content-Length": "1"], "set by the transport"), (["content-LENGTH": "1"], "set by the transport"),
            (["Transfer-Encoding": "chunked"], "set by the transport"),
            (["transfer-encoding": "x"], "set by the transport"),
            (["accept": "a", "Accept": "b"], "given twice"), (["X-A": "a", "x-a": "b", "X-B": "c"], "given twice"),
        ] as [([String: String], String)]
    )
    func `refuse invalid fields`(fields: [String: String], reason: String) {
        let error = #expect(throws: TeapotError.self) { try HeaderFieldRules.check(fields) }
        #expect(error?.type == .invalidHeaderField)
        #expect(error?.failureReason?.contains(reason) == true)
        #expect(error?.description.contains(reason) == true)
        #expect(error?.description.contains("hush") == false)
    }

    @Test(arguments: [("7", 7), ("0", 0), ("007", 7), (" 7\t", 7)])
    func `drop a correct length`(value: String, bodyLength: Int) throws {
        let fields = ["content-LENGTH": value, "X": "v"]
        #expect(try HeaderFieldRules.checked(fields, bodyLength: bodyLength) == ["X": "v"])
    }

    static let wrongLengths: [(String, String)] = [
        ("7", "Content-Length is 7, but the body has 8 bytes"), ("0", "Content-Length is 0, but the body has 8 bytes"),
        ("", "Content-Length is not a number; the body has 8 bytes"),
        ("8, 8", "Content-Length is not a number; the body has 8 bytes"),
        ("+8", "Content-Length is not a number; the body has 8 bytes"),
        ("8\r\nX: hush", "Content-Length is not a number; the body has 8 bytes"),
        ("９", "Content-Length is not a number; the body has 8 bytes"),
        ("99999999999999999999999", "Content-Length is 99999999999999999999, but the body has 8 bytes"),
    ]

    @Test(arguments: brief(wrongLengths))
    func `refuse a wrong length`(_ argument: Brief<(String, String)>) {
        let (value, reason) = argument.value
        let error = #expect(throws: TeapotError.self) {
            try HeaderFieldRules.checked(["Content-Length": value], bodyLength: 8)
        }
        #expect(error?.type == .invalidHeaderField)
        #expect(error?.failureReason == reason)
    }

    @Test(arguments: [
        ["Content-Length": "8", "content-length": "8"], ["Content-Length": "8", "Transfer-Encoding": "chunked"],
        ["Content-Length": "8", "X": "a\nb"],
    ])
    func `check the other fields beside a length`(fields: [String: String]) {
        let error = #expect(throws: TeapotError.self) { try HeaderFieldRules.checked(fields, bodyLength: 8) }
        #expect(error?.type == .invalidHeaderField)
    }

    @Test(arguments: Array(UInt8.min...UInt8(0x7F)))
    func `recognize tokens byte by byte`(byte: UInt8) {
        let scalar = Unicode.Scalar(byte)
        let isAlphanumeric = scalar.properties.isAlphabetic || (0x30...0x39).contains(byte)
        #expect(
            HeaderFieldRules.isToken(String(scalar))
                == (isAlphanumeric || "!#$%&'*+-.^_`|~".contains(Character(scalar)))
        )
    }
}
