import TestTraits
import Testing

@testable internal import Teapot

@Suite(.inTurn)
struct SingleFieldTests {
    private static let date = "Sat, 21 Nov 2026 10:00:00 GMT"
    private static let other = "Sunday, 22-Nov-26 10:00:00 GMT"

    @Test(
        arguments: [
            ("Retry-After", "2", "2"), ("retry-after", "2, 2", "2"), ("Retry-After", "2,2", "2"),
            ("Retry-After", "\(date), 5", date), ("Retry-After", "5, \(date)", "5"), ("Retry-After", "1.5, 2", "1.5"),
            ("Retry-After", "15-Sat, Apr-17 21:01:22 GMT", "15-Sat, Apr-17 21:01:22 GMT"),
            ("Date", "WillyWonka  , 18-apr-07 22:50:12", "WillyWonka  , 18-apr-07 22:50:12"),
            ("Last-Modified", "06 Nov 1994 08:49:37 GMT, \(date)", "06 Nov 1994 08:49:37 GMT"),
            ("Date", date, date), ("Date", "\(other), \(date)", other),
            ("Expires", "\(other), \(date)", "\(other), \(date)"), ("Expires", "\(date), \(date), \(date)", date),
            ("ETag", #""a, b""#, #""a, b""#), ("ETag", #""a, a""#, #""a, a""#), ("ETag", #"W/"a,b", "c""#, #"W/"a,b""#),
            ("Content-Type", #"a/b; c="\",", d/e"#, #"a/b; c="\",""#), ("Age", "-1, -1", "-1"),
            ("Location", "/a, /a, /a", "/a"), ("Location", "/a,/a", "/a,/a"), ("Location", "/a, /b", "/a, /b"),
            ("Location", "/a, b, /a, b", "/a, b"), ("Location", ", ", ""), ("Location", ",", ","), ("Location", "", ""),
            ("Server", "a (b, c)", "a (b, c)"), ("Content-Encoding", "gzip, gzip", "gzip, gzip"),
            ("X-A", "a, a", "a, a"),
        ] as [(String, String, String)]
    )
    func `equal values count once, and of others the first where that is safe`(
        name: String,
        joined: String,
        value: String
    ) {
        #expect(SingleField.value(joined, of: name) == value)
    }

    @Test(
        arguments: [
            ("/a, /b", true), ("/a, //b", true), ("https://a/, http://b/", true), ("/a, b, https://c", true),
            ("/a", false), ("/a,b", false), ("/a,/b", false), ("/search?q=a, b", false), ("/a, b: c", false),
            ("", false), ("/a, b+c.d-1://e", true), ("/a, 1b://c", false), ("/a, ://b", false), ("/a, b:/c", false),
            ("/a,  /b", false), (", /a", true), ("/a, ", false), ("/a, b", false), ("a, é://b", false),
            ("/a, b://\u{301}c", true),
        ] as [(String, Bool)]
    )
    func `several locations are told from one with a comma`(value: String, isSeveral: Bool) {
        #expect(SingleField.hasSeveralLocations(value) == isSeveral)
    }
}
