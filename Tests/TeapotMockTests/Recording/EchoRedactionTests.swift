import Teapot
import Testing

@testable import TeapotMock

@Suite("An echo")
struct EchoRedactionTests {
    private let echoes = EchoRedaction(["a/b c+\"ü", "hush-hush", "hush-hush-hush", "%2Fraw%", "redacted"])

    @Test(arguments: [
        ("x a/b c+\"ü y", "x <redacted> y"), ("a%2Fb%20c%2B%22%C3%BC", "<redacted>"),
        ("a%2fb+c%2b%22%c3%bc", "<redacted>"),
        (#"a\/b c+\"ü"#, "<redacted>"), (#"a\u002Fb\u0020c\u002b\"ü"#, "<redacted>"),
        ("hush-hush-hush-hush", "<redacted>-hush"),
        ("HUSH-HUSH", "HUSH-HUSH"), ("hush-hus", "hush-hus"), ("%2Fraw%", "<redacted>"), ("%252Fraw%25", "<redacted>"),
        ("/raw%", "/raw%"), ("<redacted> redacted", "<redacted> <redacted>"), ("", ""), ("%", "%"), ("\\", "\\"),
        ("\\u00", "\\u00"),
        ("%h", "%h"), ("hush-hushhush-hush", "<redacted><redacted>"), ("a%2Fb", "a%2Fb"),
        ("ühush-hushü", "ü<redacted>ü"),
    ])
    func `is found however it is encoded`(text: String, expected: String) {
        #expect(echoes.redacted(text) == expected)
        #expect(EchoRedaction([]).redacted(text) == text)
    }

    @Test(
        arguments: [
            (["Bearer hush-hush"], ["Bearer hush-hush", "hush-hush"]),
            (
                ["Basic dXNlcm5hbWU6cGFzcy93b3Jk"],
                [
                    "Basic dXNlcm5hbWU6cGFzcy93b3Jk", "dXNlcm5hbWU6cGFzcy93b3Jk", "pass/word", "username",
                    "username:pass/word",
                ]
            ),
            (["user:pass%2Fword"], ["pass%2Fword", "pass/word", "user:pass%2Fword", "user:pass/word"]),
            (["a+secret"], ["a secret", "a+secret"]), (["12345"], []), (["123456"], ["123456"]), (["üüü"], ["üüü"]),
            (["<redacted>", ""], []),
            (
                ["Digest username=\"adalovelace\", uri=\"/a/path\""],
                [
                    "Digest username=\"adalovelace\", uri=\"/a/path\"", "username=\"adalovelace\", uri=\"/a/path\"",
                ]
            ),
        ] as [([String], [String])]
    )
    func `may be of a part of a secret`(secrets: [String], values: [String]) {
        var found = SecretValues()
        for secret in secrets { found.add(secret) }
        #expect(found.values.sorted() == values.sorted())
    }

    @Test func `may be of a cookie`() {
        var found = SecretValues()
        found.add(
            cookies: #"sid="hush-1"; Path=/longpath; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Domain=a.test,b=hush-2;c"#
        )
        #expect(found.values == ["hush-1", "hush-2"])
    }
}
