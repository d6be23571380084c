import Teapot
import TestTraits
import Testing

@testable import TeapotMock

@Suite(.inTurn)
struct XMLTextTests {
    @Test(arguments: [
        ("", ""), ("tea & pot;", "tea & pot;"), ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"),
        ("&#65;&#x42;&#x1F375;", "AB🍵"),
        ("&amp;lt;", "&lt;"),
        ("&nbsp;&#xD800;&#99999999;&#x110000;&#;&#x;", "&nbsp;&#xD800;&#99999999;&#x110000;&#;&#x;"),
    ])
    func `references are decoded`(text: String, decoded: String) {
        #expect(XMLText.decoded(text) == decoded)
    }

    @Test(arguments: [
        (#"<a token="b"/>"#, "<a token=<redacted>/>", ["b"]),
        (
            #"<a b="c" x:pin = 'd "e" f' otp='g&amp;h'>"#, #"<a b="c" x:pin =<redacted> otp=<redacted>>"#,
            [#"d "e" f"#, "g&amp;h"]
        ),
        (#"<a token=<redacted> b="1">pin="2"</a>"#, #"<a token=<redacted> b="1">pin=<redacted></a>"#, ["2"]),
        (#"<a b="c'" token="<d" pin='e"#, #"<a b="c'" token="<d" pin='e"#, []),
        ("=\"a\" = 'b'", "=\"a\" = 'b'", []),
    ])
    func `attributes with a secret name are replaced`(text: String, redacted: String, found: [String]) {
        var secrets: [String] = []
        #expect(XMLText.redactingAttributes(in: text, .standard, secrets: &secrets) == redacted)
        #expect(secrets == found)
    }

    @Test(arguments: [
        ("<a>tea</a>", "<a>tea</a>"), ("<redacted>", "&lt;redacted&gt;"),
        ("<a><redacted>, <redacted></a>", "<a>&lt;redacted&gt;, &lt;redacted&gt;</a>"),
        ("<a b=<redacted> c=<redacted>/>", #"<a b="&lt;redacted&gt;" c="&lt;redacted&gt;"/>"#),
        (#"<a b="c=<redacted>" d=<redacted>>"#, #"<a b="c=&lt;redacted&gt;" d="&lt;redacted&gt;">"#),
        ("<a>b=<redacted></a>", "<a>b=&lt;redacted&gt;</a>"), ("b=<redacted>", "b=&lt;redacted&gt;"),
        ("<a><b>c</b>d=<redacted>", "<a><b>c</b>d=&lt;redacted&gt;"),
    ])
    func `replacements are escaped`(text: String, escaped: String) {
        #expect(XMLText.escapingReplacements(in: text) == escaped)
    }

    @Test(arguments: [("<a/>", true), (" \r\n<a/>", true), ("a<b", false), ("", false)])
    func `markup begins with a tag`(text: String, isMarkup: Bool) {
        #expect(XMLText.isMarkup(text) == isMarkup)
    }
}
