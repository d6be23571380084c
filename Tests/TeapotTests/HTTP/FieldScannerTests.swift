@testable internal import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct FieldScannerTests {
    @Test(
        arguments: [
            ("text/html", "text/html", nil), ("Text/HTML ; Charset=UTF-8", "text/html", "utf-8"), ("", "", nil),
            ("text/html;charset=\"utf-8\"", "text/html", "utf-8"),
            (" text/html;;; charset = utf-8 ", "text/html", "utf-8"),
            ("text/html; a=\"; charset=x\"; charset=utf-8", "text/html", "utf-8"),
            ("text/html; charset", "text/html", ""),
            ("text/html; a=\"b\\\"; charset=x\"; charset=y", "text/html", "y"),
            ("text/html; charset=\"utf", "text/html", "utf"),
            ("text/html; charset=utf-8, text/plain; charset=x", "text/html", "utf-8"),
            ("text/html; charset=\"\\", "text/html", ""),
            ("text/html; charset=a; charset=b", "text/html", "a"),
            ("text/html; =x; charset=\"a\"b; c=d", "text/html", "a"),
            (";charset=x", "", "x"), ("tëxt/ü; charset=ä\u{301}", "tëxt/ü", "ä\u{301}"), ("\u{0}", "\u{0}", nil),
        ] as [(String, String, String?)]
    )
    func `reads a media type`(field: String, name: String, charset: String?) {
        let type = MediaType(field)
        #expect(type.name == name)
        #expect(type.charset == charset)
    }

    @Test(arguments: [
        "; a=1; B=\"x,y;z\"; a=2; c, d=e", ";a=1;B=\"x,y;z\" junk ;a= 2 ; c",
    ])
    func `reads parameters up to a comma`(field: String) {
        var scanner = FieldScanner(field)
        let parameters = scanner.parameters()
        #expect(parameters.map(\.name) == ["a", "b", "a", "c"])
        #expect(parameters.map(\.value) == ["1", "x,y;z", "2", ""])
    }

    @Test func `a long field is read in time`() {
        var scanner = FieldScanner(String(repeating: ";a=\"", count: 200_000))
        #expect(scanner.parameters().count == 100_000)
    }
}
