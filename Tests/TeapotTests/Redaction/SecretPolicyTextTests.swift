@testable import Teapot
import TestTraits
import Testing

/// Secrets in text that is neither JSON nor a URL: forms, logs, pages, XML.
@Suite(.inTurn)
struct SecretPolicyTextTests {
    static let redactedTexts = [
        // Names and values.
        ("a=1;token=hush", "a=1;token=<redacted>"), ("a=1; token=hush; b=2", "a=1; token=<redacted> b=2"),
        ("token=hush;hush&a=1", "token=<redacted>&a=1"), ("a=1,token=hush,hush", "a=1,token=<redacted>"),
        ("password=\"hush hush\" a=1", "password=<redacted> a=1"),
        ("password='hush hush' a=1", "password=<redacted> a=1"),
        ("password=\"hush\\\"hush\" a=1", "password=<redacted> a=1"), ("password=\"hush", "password=<redacted>"),
        ("Digest username=\"ada\", signature=\"hush\"", "Digest username=\"ada\", signature=<redacted>"),
        ("http://h/token=hush/x?a=1", "http://h/token=<redacted>"), ("/x;sid=hush?a&b=1", "/x;sid=<redacted>&b=1"),
        ("http://h/x;jsessionid=hush", "http://h/x;jsessionid=<redacted>"),
        ("password = hush\na = 1", "password = <redacted>\na = 1"),
        // User information.
        ("//u:hush@h/x", "//<redacted>@h/x"), ("see //hush@h now", "see //<redacted>@h now"),
        ("ftp://u:hush@h/x,ftp://u:hush@g/", "ftp://<redacted>@h/x,ftp://<redacted>@g/"),
        ("http://u:hush@hush@h/", "http://<redacted>@h/"), ("a@b //c", "a@b //c"),
        ("http://h//a/b@c", "http://h//a/b@c"),
        // Header fields.
        ("Authorization: Basic hush", "Authorization: <redacted>"),
        ("GET /\r\ncookie:a=hush\r\nX: y", "GET /\r\ncookie:<redacted>\r\nX: y"),
        ("> X-Api-Key: hush hush\n> Accept: */*", "> X-Api-Key: <redacted>\n> Accept: */*"),
        ("Set-Cookie:\thush; Path=/\nA: b", "Set-Cookie:\t<redacted>\nA: b"),
        ("failed for Proxy-Authorization: Negotiate hush", "failed for Proxy-Authorization: <redacted>"),
        ("db.password: hush\nname: x", "db.password: <redacted>\nname: x"), ("Authorization:", "Authorization:"),
        // JSON within text.
        (#"error: {"token":"hush","a":1}"#, #"error: {"token":<redacted>,"a":1}"#),
        (#"error: {"token" : "hush hush", "a": 1}"#, #"error: {"token" : <redacted>, "a": 1}"#),
        (#"{\"token\":\"hush\",\"a\":1}"#, #"{\"token\":<redacted>,\"a\":1}"#),
        ("{'token': 'hush hush', 'a': 1}", "{'token': <redacted>, 'a': 1}"),
        ("error: {\"place\":1}", "error: {\"place\":1}"),
        (#"x {"token":123,"a":1}"#, #"x {"token":<redacted>"#),
        // Credentials.
        ("Bearer hush-1", "Bearer <redacted>"), ("bearer HUSH.hush, a", "bearer <redacted>, a"),
        ("no \"Bearer hush_1==\" here", "no \"Bearer <redacted>\" here"),
        ("Basic dTpodXNo now", "Basic <redacted> now"),
        // XML.
        ("<token>hush</token><a>b</a>", "<token><redacted></token><a>b</a>"),
        ("<s:Password Type=\"text\">hush</s:Password>", "<s:Password Type=\"text\"><redacted></s:Password>"),
        ("<secret><![CDATA[hush]]></secret>", "<secret><redacted></secret>"), ("<token>hush", "<token><redacted>"),
        ("<token/><a>b</a>", "<token/><a>b</a>"), ("<a password=\"hush\">b</a>", "<a password=<redacted>>b</a>"),
        // All that is inside.
        ("<token>\n  <a>hush</a>\n</token>", "<token><redacted></token>"),
        ("<password><a>hush</a><b>hush</b></password><c>d</c>", "<password><redacted></password><c>d</c>"),
        ("<token><Token>hush</Token>hush</token> a", "<token><redacted></token> a"),
        ("<token><token/><token a=\"b\" />hush</token> a", "<token><redacted></token> a"),
        ("<token><tokens>hush</tokens>hush</TOKEN > a", "<token><redacted></TOKEN > a"),
        ("<token><![CDATA[</token>hush]]></token> a", "<token><redacted></token> a"),
        ("<token><!-- </token> hush --></token> a", "<token><redacted></token> a"),
        ("<token><a>hush", "<token><redacted>"), ("<token><![CDATA[hush", "<token><redacted>"),
        ("<s:token><token>hush</token>hush</s:token> a", "<s:token><redacted></s:token> a"),
        // Encoded within items.
        ("http://h/?u=https%3A%2F%2Fuser%3Ahush%40h", "http://h/?u=https%3A%2F%2F<redacted>%40h"),
        ("u=https%3A%2F%2Fuser%3Ahush%40h&a=b", "u=https%3A%2F%2F<redacted>%40h&a=b"),
        ("a=token%3Dhush%26b%3Dc", "a=token%3D<redacted>%26b%3Dc"),
        ("a=%7B%22token%22%3A%22hush%22%7D", "a=%7B%22token%22%3A%22<redacted>%22%7D"),
        ("a=b%3Dc%253Dd%2526token%253Dhush", "a=b%3Dc%253Dd%2526token%253D<redacted>"),
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

    /// Sentences about header fields and credentials are not credentials.
    @Test(arguments: [
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
