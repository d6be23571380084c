import Foundation
@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct KnownSecretsTests {
    private let secrets = SecretSearch([
        "a/b c+\"ü", "hush-hush", "hush-hush-hush", "%2Fraw%", "redacted", ">>?>>?>", "two\nlines",
    ])

    @Test(
        arguments: brief(
            [
                ("x a/b c+\"ü y", "x <redacted> y"), ("a%2Fb%20c%2B%22%C3%BC", "<redacted>"),
                ("a%2fb+c%2b%22%c3%bc", "<redacted>"),
                (#"a\/b c+\"ü"#, "<redacted>"), (#"a\u002Fb\u0020c\u002b\"ü"#, "<redacted>"),
                ("hush-hush-hush-hush", "<redacted>-hush"),
                ("two\nlines", "<redacted>"), (#"two\nlines"#, "<redacted>"), (#"two\\nlines"#, #"two\\nlines"#),
                // In base64, and that of URLs, with and without padding.
                ("aHVzaC1odXNo", "<redacted>"), ("YS9iIGMrIsO8", "<redacted>"), ("Pj4_Pj4_Pg==", "<redacted>"),
                ("Pj4/Pj4/Pg", "<redacted>"),
                ("Pj4%2FPj4%2fPg%3D%3D", "<redacted>"),
                // In another word.
                ("xhush-hush1", "x<redacted>1"), ("%41hush-hush%41", "%41<redacted>%41"),
                ("茶hush-hush茶", "茶<redacted>茶"),
                ("HUSH-HUSH", "HUSH-HUSH"), ("hush-hus", "hush-hus"), ("%2Fraw%", "<redacted>"),
                ("%252Fraw%25", "<redacted>"),
                ("/raw%", "/raw%"), ("<redacted> redacted", "<redacted> redacted"), ("", ""), ("%", "%"),
                ("\\", "\\"),
                ("\\u00", "\\u00"),
                ("%h", "%h"), ("a%2Fb", "a%2Fb"), ("hush-hush,hush-hush", "<redacted>,<redacted>"),
            ] as [(String, String)]
        )
    )
    func `is found however it is encoded`(_ argument: Brief<(String, String)>) {
        let (text, expected) = argument.value
        #expect(secrets.redacted(text) == expected)
        #expect(SecretSearch([]).redacted(text) == text)
    }

    @Test(
        arguments: [
            ("a%2Fb-one", "<redacted>"), ("a/b-two", "<redacted>"), ("a%2Fb-two", "<redacted>"), ("a/b-one", "a/b-one"),
            ("a%252Fb-one", "<redacted>"), ("a%2Fb-two-and-more", "<redacted>"), ("a%2Fb-two-and", "<redacted>-and"),
            ("a%2Fb-", "a%2Fb-"), ("a/", "a/"),
        ] as [(String, String)]
    )
    func `is the longest of those with the same beginning`(text: String, expected: String) {
        #expect(SecretSearch(["a%2Fb-one", "a/b-two", "a/b-two-and-more", ""]).redacted(text) == expected)
    }

    @Test func `ends a text that takes too long to search`() {
        let search = SecretSearch(Set((1...40).map { String(repeating: "t-", count: $0) + "x" } + ["hush-hush"]))
        let text = search.redacted("a hush-hush b \(String(repeating: "t-", count: 10_000)) hush-hush")
        #expect(text.hasPrefix("a <redacted> b "))
        #expect(text.hasSuffix("<redacted>"))
        #expect(!text.contains("hush"))
        #expect(search.isFound(in: Data(String(repeating: "t-", count: 10_000).utf8)))
        #expect(!search.isFound(in: Data("t-t-t-hush-hus".utf8)))
        #expect(search.isFound(in: Data("t-t-t-hush-hush".utf8)))
    }

    @Test(arguments: [1, 100, 5_000])
    func `is found among many`(count: Int) {
        let search = SecretSearch(Set((0..<count).map { "\($0 * 7_919)-hush-\($0)" }))
        for number in [0, count / 2, count - 1] {
            #expect(search.redacted("a \(number * 7_919)-hush-\(number)/b") == "a <redacted>/b")
        }
        #expect(search.redacted("a -hush- b") == "a -hush- b")
    }

    @Test func `is not found in letters that are escaped as other bytes`() {
        #expect(SecretSearch(["hush\u{FC}hush"]).redacted(#"hush\u00c3\u00bchush"#) == #"hush\u00c3\u00bchush"#)
    }

    @Test(
        arguments: brief(
            [
                (["Bearer hush-hush"], ["Bearer hush-hush", "hush-hush"]),
                (
                    ["Basic dXNlcm5hbWU6cGFzcy93b3Jk"],
                    [
                        "Basic dXNlcm5hbWU6cGFzcy93b3Jk", "dXNlcm5hbWU6cGFzcy93b3Jk", "pass/word",
                        "username:pass/word",
                    ]
                ),
                (["user:pass%2Fword"], ["pass%2Fword", "pass/word", "user:pass%2Fword", "user:pass/word"]),
                (["a+secret"], ["a secret", "a+secret"]), (["12345"], []), (["123456"], ["123456"]), (["üüü"], ["üüü"]),
                (
                    [#"Custom a="hush-1", b=hush-2"#],
                    [#"Custom a="hush-1", b=hush-2"#, #"a="hush-1", b=hush-2"#, "hush-1", "hush-2"]
                ),
                (["<redacted>", ""], []), (["Bearer\thush-hush"], ["Bearer\thush-hush", "hush-hush"]),
                (
                    ["Digest realm=\"the tea\", response=\"hush-1\", cnonce=hush-2,nonce = \"a\\\"hush\", qop=auth"],
                    [
                        "Digest realm=\"the tea\", response=\"hush-1\", cnonce=hush-2,nonce = \"a\\\"hush\", qop=auth",
                        "a\"hush",
                        "hush-1", "hush-2",
                        "realm=\"the tea\", response=\"hush-1\", cnonce=hush-2,nonce = \"a\\\"hush\", qop=auth",
                    ]
                ),
                (
                    ["Digest username=\"adalovelace\", uri=\"/a/path\""],
                    [
                        "Digest username=\"adalovelace\", uri=\"/a/path\"", "username=\"adalovelace\", uri=\"/a/path\"",
                    ]
                ),
            ] as [([String], [String])]
        )
    )
    func `may be a part of another`(_ argument: Brief<([String], [String])>) {
        let (secrets, values) = argument.value
        var found = SecretValues()
        for secret in secrets { found.add(secret) }
        #expect(found.values.sorted() == values.sorted())
    }
}

extension SecretSearch {
    /// A text with these secrets replaced.
    fileprivate func redacted(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let ranges = bytes.withUnsafeBufferPointer { self.ranges(in: $0) }
        var (result, done) = ([UInt8](), 0)
        for range in ranges {
            result += bytes[done..<range.lowerBound] + SecretPolicy.replacement.utf8
            done = range.upperBound
        }
        return String(decoding: result + bytes[done...], as: UTF8.self)
    }
}
