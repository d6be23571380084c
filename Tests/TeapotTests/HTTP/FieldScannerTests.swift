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
}
