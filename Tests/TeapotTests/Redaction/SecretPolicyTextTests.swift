@testable import Teapot
import TestTraits
import Testing

/// Secrets in text that is neither JSON nor a URL: items and user information, and nothing else.
@Suite(.inTurn)
struct SecretPolicyTextTests {
    static let redactedTexts = [
        // Names and values.
        ("a=1;token=hush", "a=1;token=<redacted>"), ("a=1; token=hush; b=2", "a=1; token=<redacted> b=2"),
        ("token=hush;hush&a=1", "token=<redacted>&a=1"), ("a=1,token=hush,hush", "a=1,token=<redacted>"),
        ("password=\"hush hush\" a=1", "password=<redacted> a=1"),
        ("password=\"hush", "password=<redacted>"),
        ("Digest username=\"ada\", signature=\"hush\"", "Digest username=\"ada\", signature=<redacted>"),
        ("http://h/token=hush/x?a=1", "http://h/token=<redacted>"), ("/x;sid=hush?a&b=1", "/x;sid=<redacted>&b=1"),
        ("http://h/x;jsessionid=hush", "http://h/x;jsessionid=<redacted>"),
        // User information.
        ("//u:hush@h/x", "//<redacted>@h/x"), ("see //hush@h now", "see //<redacted>@h now"),
        ("ftp://u:hush@h/x,ftp://u:hush@g/", "ftp://<redacted>@h/x,ftp://<redacted>@g/"),
        ("http://u:hush@hush@h/", "http://<redacted>@h/"), ("a@b //c", "a@b //c"),
        ("http://h//a/b@c", "http://h//a/b@c"),
        // Only what stands in an attribute.
        ("<a password=\"hush\">b</a>", "<a password=<redacted>>b</a>"),
    ]

    @Test(arguments: brief(redactedTexts))
    func `redacts secrets`(_ argument: Brief<(String, String)>) {
        let (text, shown) = argument.value
        #expect(SecretPolicy.standard.redacted(text: text) == shown.escapingControlCharacters())
        #expect(SecretPolicy.off.redacted(text: text) == text.escapingControlCharacters())
        let wide = text.replacing("token", with: "place")
        let wider = SecretPolicy.standard.adding(["place", "s:place", "access_place"])
        #expect(!wider.redacted(text: wide).contains("hush"))
        // Redacted text may be redacted again.
        let again = SecretPolicy.standard.redacted(text: SecretPolicy.standard.redacted(text: text))
        #expect(again == SecretPolicy.standard.redacted(text: text))
    }

    /// Only items and user information have names in text. Known secrets are found in it: see `KnownSecretsTests`.
    @Test(arguments: [
        "Authorization: Basic dTpo", "Bearer dTpo", "<token>dTpo</token>", "a=token%3DdTpo", #"x {"token":"dTpo"}"#,
        "token = dTpo",
        "the value of Authorization contains a line break or a NUL", "X-Auth-Token is missing",
        "$.user.token: Expected to decode Int but found a string instead", "$.users[2].password: the key a is missing",
        "the Bearer token is missing", "Basic authentication is required",
        "Bearer realm=\"api\", error=\"invalid_request\"",
        "Basic realm=\"tea\"", "Bearer", "Bearer ", "a bearer of news", "token", "the token expired at 12:30",
        "if (token == b) { return }",
        "text/html; charset=utf-8", "max-age=3600, public", "Sun, 06 Nov 1994 08:49:37 GMT", "W/\"a:b\"", "12:30:59",
        "/srv/server.key: No such file or directory", "std::session::open", "token://a",
        "<html><body>key</body></html>", "<!-- token -->", "a < token > b",
        "http://h:80/a;v=1?b=c:d", "a, b; c", "if (a == b) { return }", "ü=🫖", "", "=", ":", "<", "//", "@", "\"", "'",
    ])
    func `leaves other text`(text: String) {
        #expect(SecretPolicy.standard.redacted(text: text) == text)
    }
}
