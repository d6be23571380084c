import Teapot
import TestSupport
import TestTraits
import Testing

@testable import TeapotMock

@Suite(.inTurn)
struct XMLRedactorTests {
    @Test(
        arguments: [
            ("", ""), ("tea & pot;", "tea & pot;"), ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"),
            ("&#65;&#x42;&#x1F375;", "AB🍵"),
            ("&amp;lt;", "&lt;"), ("&#0000000061;&#x000000003d;", "=="),
            ("&nbsp;&#xD800;&#99999999;&#x110000;&#;&#x;", "&nbsp;&#xD800;&#99999999;&#x110000;&#;&#x;"),
        ] as [(String, String)]
    )
    func `references are decoded`(text: String, decoded: String) {
        #expect(XMLRedactor.decoded(text) == decoded)
    }

    static let texts: [(String, String, [String])] = [
        ("", "", []), ("<a>tea</a> ", "<a>tea</a> ", []),
        // Attributes.
        (#"<a token="b"/>"#, #"<a token="<redacted>"/>"#, ["b"]),
        (
            #"<a b="c" x:pin = 'd "e" f' otp='g&amp;h'>"#, #"<a b="c" x:pin = '<redacted>' otp='<redacted>'>"#,
            [#"d "e" f"#, "g&amp;h", "g&h"]
        ),
        (#"<a x='5"' y="1>0" token='b'/>"#, #"<a x='5"' y="1>0" token='<redacted>'/>"#, ["b"]),
        (#"<a b="c'" token="<d" pin='e'/>"#, #"<a b="c'" token="<redacted>" pin='<redacted>'/>"#, ["<d", "e"]),
        (#"<?xml version="1.0"?><a>it's = "tea" > </a>"#, #"<?xml version="1.0"?><a>it's = "tea" > </a>"#, []),
        // Values end where they end for a parser.
        (#"<a href='h?token=b1'/>"#, #"<a href='h?token=<redacted>'/>"#, ["b1"]),
        ("<a><![CDATA[h?token=b1]]></a>", "<a><![CDATA[h?token=<redacted>]]></a>", ["b1"]),
        ("<!--token=b1--><a>token=b2</a>", "<!--token=<redacted>--><a>token=<redacted></a>", ["b1", "b2"]),
        ("<a><![CDATA[<b token=]]></a>token=c", "<a><![CDATA[<b token=<redacted>]]></a>token=<redacted>", ["c"]),
        ("<a>h?sig=b&amp;x=1&amp;y</a>", "<a>h?sig=<redacted>&amp;x=1&amp;y</a>", ["b"]),
        (#"<a href="u?token=AbC&#x2B;dEf&gt;&amp;x"/>"#, #"<a href="u?token=<redacted>&gt;&amp;x"/>"#, ["AbC+dEf"]),
        (#"<a>{"otp":"b&lt;c"}</a>"#, #"<a>{"otp":"<redacted>"}</a>"#, ["b<c"]),
        // XML as text.
        (
            "<a>&lt;login password=&quot;b&amp;amp;c&quot;/&gt; tea</a>",
            "<a>&lt;login password=&quot;<redacted>&quot;/&gt; tea</a>", ["b&amp;c", "b&c"]
        ),
        ("<a>&lt;3 token=b</a>", "<a>&lt;3 token=<redacted></a>", ["b"]),
        // Pairs of a name and a value.
        (#"<add key="Password" value="b"/>"#, #"<add key="Password" value="<redacted>"/>"#, ["b"]),
        (#"<p name='api_key' value='b'/>"#, #"<p name='api_key' value='<redacted>'/>"#, ["b"]),
        (#"<p name="tea" value="b" key="c"/>"#, #"<p name="tea" value="b" key="c"/>"#, []),
        (#"<add value="b" key="Password"/>"#, #"<add value="<redacted>" key="Password"/>"#, ["b"]),
        (
            #"<add key="Password" name="db" value="b"/>"#, #"<add key="Password" name="db" value="<redacted>"/>"#, ["b"]
        ),
        (#"<Password value='b' x='c'/>c"#, #"<Password value='<redacted>' x='c'/>c"#, ["b"]),
        (#"<string name="db_password"> b </string>c"#, #"<string name="db_password"> <redacted> </string>c"#, ["b"]),
        // Elements.
        (
            "<r><AccessKeyId>b</AccessKeyId><x:Secret>c&amp;d</x:Secret><Key>e</Key><NextToken>f</NextToken></r>",
            "<r><AccessKeyId><redacted></AccessKeyId><x:Secret><redacted></x:Secret><Key>e</Key><NextToken>f</NextToken></r>",
            ["b", "c&amp;d", "c&d"]
        ),
        ("<Token/><a>b</a>", "<Token/><a>b</a>", []), ("<Token></Token><a>b</a>", "<Token></Token><a>b</a>", []),
        (
            "<Token>\n <a b='c'>d</a><e/><![CDATA[f&amp;]]>\n</Token>g",
            "<Token>\n <a b='c'><redacted></a><e/><![CDATA[<redacted>]]>\n</Token>g", ["d", "f&amp;"]
        ),
        // An element around others is a secret as a whole, numbers as well.
        (
            "<PasswordReset><pin>482113</pin></PasswordReset><SessionInfo>1</SessionInfo>",
            "<PasswordReset><pin><redacted></pin></PasswordReset><SessionInfo>1</SessionInfo>", ["482113"]
        ),
        // XML in a section.
        ("<r><![CDATA[<P><Pin>b1</Pin></P>]]></r>", "<r><![CDATA[<P><Pin><redacted></Pin></P>]]></r>", ["b1"]),
        (#"<!-- <add key="Pin" value="b"/> -->"#, #"<!-- <add key="Pin" value="<redacted>"/> -->"#, ["b"]),
        (
            "<![CDATA[a]]>\u{301}<token>b</token><![CDATA[]]>",
            "<![CDATA[a]]>\u{301}<token><redacted></token><![CDATA[]]>", ["b"]
        ),
        (
            "<Credentials><Expiration>b</Expiration></Credentials>",
            "<Credentials><Expiration>b</Expiration></Credentials>", []
        ),
    ]

    @Test(arguments: texts)
    func `secrets are replaced`(text: String, redacted: String, found: [String]) {
        let placeholders = Placeholders()
        var secrets: [String] = []
        var redactor = XMLRedactor(.standard) { secret in
            secrets.append(secret)
            return placeholders.placeholder(for: secret)
        }
        let result = redactor.redacted(text)
        #expect(result?.unnumbered == redacted)
        #expect((secrets + redactor.secrets).filter { !$0.isEmpty }.sorted() == found.filter { !$0.isEmpty }.sorted())
        // A second pass changes nothing, and finds nothing.
        placeholders.isComplete = true
        var again = XMLRedactor(.standard, placeholders.placeholder)
        #expect(again.redacted(result ?? "") == result)
        #expect(again.secrets.allSatisfy { Placeholders.isPlaceholder($0) })
    }

    @Test(arguments: [
        "<a", "<a b=", "<a b='", "<a b='>", "<a b=c>", "<a b>c=d<e f", "<a token=b c='d'>", "<![CDATA[token=a", "<!--",
        "<!DOCTYPE a [<!ENTITY b 'c'>]>", "a < b", "<a b='c'd=e>",
        "<!-->", "<!--->", "<a>&lt;!--&gt;&lt;/a&gt;</a>", "<r>&lt;Pin&gt;b&lt;/Pin&gt;&lt;br a=b&gt;</r>",
        "<![CDATA[<a b=c></a>]]>",
    ])
    func `text is left out whose parts cannot be told apart`(text: String) {
        var redactor = XMLRedactor(.standard) { $0 }
        #expect(redactor.redacted(text) == nil)
    }

    @Test(arguments: brief([("<a/>", true), (" \r\n<a/>", true), ("a<b", false), ("", false)]))
    func `markup begins with a tag`(_ argument: Brief<(String, Bool)>) {
        let (text, isMarkup) = argument.value
        #expect(XMLRedactor.isMarkup(text) == isMarkup)
    }
}
