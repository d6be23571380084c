import Foundation
@testable import Teapot
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct SecretPolicyTests {
    // MARK: - Names

    static let unreadableBodies = [
        #"{"access_token":"hush","x":"#, "{\"password\":\"hush\"}\n{\"a\":", "a\0b",
        "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhush\r\n--b--\r\n",
    ]

    @Test(arguments: brief(unreadableBodies))
    func `shows only the size of bytes that it cannot read`(_ argument: Brief<String>) {
        let body = argument.value
        #expect(SecretPolicy.standard.redacted(body: Data(body.utf8)) == "\(body.utf8.count) bytes")
        #expect(SecretPolicy.off.redacted(body: Data("{".utf8)) == "{")
    }

    @Test func `can be widened`() {
        let policy = SecretPolicy.standard.adding(["X-Tenant", "PLACE"])
        #expect(policy.isSecret("x-tenant"))
        #expect(policy.isSecret("place"))
        #expect(policy.isSecret("Authorization"))
        #expect(!policy.isSecret("X-Tenant-Id"))
        #expect(policy.adding(["other"]).isSecret("Place"))
        #expect(SecretPolicy.off.adding(["pin"]).isSecret("pin"))
        #expect(!SecretPolicy.off.adding(["pin"]).isSecret("password"))
        #expect(!policy.isSecret("Access-Control-Allow-Credentials"))
        #expect(policy != .standard)
        #expect(SecretPolicy.standard.adding([]) == .standard)
    }

    @Test func `can be narrowed`() {
        let policy = SecretPolicy.standard.removing(["Session", "code", "ticket", "x-api-key"])
        #expect(!policy.isSecret("session") && policy.isSecret("session_id"))
        let text = #"{"session":"Tea at noon","ticket":"0123456789abcdef","session_id":"hush"}"#
        #expect(policy.redacted(text: text) == text.replacing("hush", with: "<redacted>"))
        #expect(policy.redacted(text: "/cb?code=tea&ticket=x") == "/cb?code=tea&ticket=x")
        #expect(!policy.isLeftBehind("X-Api-Key") && policy.separatesUsers("X-Api-Key"))
        for name in ["Authorization", "Cookie"] { #expect(policy.removing([name]).isLeftBehind(name)) }
        #expect(policy.adding(["SESSION"]).isSecret("session"))
        #expect(
            SecretPolicy.standard.adding(["place"]).removing(["Place"]) == SecretPolicy.standard.removing(["place"])
        )
        #expect(!SecretPolicy.off.removing(["a"]).isSecret("token"))
        let known = policy.adding([Credential(headerField: "X-Api-Key", value: "hush-hush")])
        #expect(known.redacted(text: "hush-hush") == "<redacted>")
    }

    @Test(arguments: ["Authorization", "cookie", "Set-Cookie", "proxy-authorization"])
    func `drops credentials on a change of origin even when off`(name: String) {
        #expect(SecretPolicy.off.isLeftBehind(name))
        #expect(!SecretPolicy.off.isLeftBehind("X-API-Key"))
    }

    /// What a text shows is one thing, whose request it is another.
    @Test(arguments: [SecretPolicy.standard, .off, .off.adding(["X-Tenant"])])
    func `separates users whatever it shows`(policy: SecretPolicy) {
        for name in ["Authorization", "cookie", "Proxy-Authorization", "X-API-Key", "private-token"] {
            #expect(policy.separatesUsers(name))
        }
        #expect(!policy.separatesUsers("Accept"))
        #expect(policy.separatesUsers("x-tenant") == policy.isSecret("x-tenant"))
    }

    // MARK: - Header fields

    @Test func `redacts header fields`() {
        let fields = ["X-B": "2", "Authorization": "Basic hush", "Accept": "*/*", "X-Api-Key": "hush"].sortedFields
        #expect(
            SecretPolicy.standard.redacted(fields)
                == "Accept: */*\nAuthorization: <redacted>\nX-Api-Key: <redacted>\nX-B: 2"
        )
        #expect(SecretPolicy.off.redacted([("Authorization", "Basic x")]) == "Authorization: Basic x")
        #expect(SecretPolicy.standard.redacted([(String, String)]()).isEmpty)
    }

    static let redactedValues: [(String, String)] = [
        ("http://u:hush@h/x?token=hush&a=1", "http://<redacted>@h/x?token=<redacted>&a=1"),
        ("/next?page=2&access_token=hush", "/next?page=2&access_token=<redacted>"),
        ("http://h/#access_token=hush&state=1", "http://h/#access_token=<redacted>&state=1"),
        (
            "<http://h/x?page=2&token=hush>; rel=\"next\", <http://u:hush@h/x?sig=hush>; rel=\"last\"",
            "<http://h/x?page=2&token=<redacted>>; rel=\"next\", <http://<redacted>@h/x?sig=<redacted>>; rel=\"last\""
        ),
        ("text/html; charset=utf-8", "text/html; charset=utf-8"), ("max-age=3600, public", "max-age=3600, public"),
        ("a\r\nX: y\u{1B}", "a\\u{D}\\nX: y\\u{1B}"),
    ]

    @Test(arguments: brief(redactedValues))
    func `redacts URLs in header fields`(_ argument: Brief<(String, String)>) {
        let (value, shown) = argument.value
        #expect(SecretPolicy.standard.redacted(value, named: "Location") == shown)
    }

    // MARK: - URLs

    @Test(
        arguments: [
            ("http://h", "http://h"), ("http://h/a?b=c#d", "http://h/a?b=c#d"), ("http://h/?", "http://h/?"),
            ("http://u@h/", "http://<redacted>@h/"), ("http://u:p@h:80", "http://<redacted>@h:80"),
            ("http://u:p@h?a=b", "http://<redacted>@h?a=b"), ("http://u:p@h#a@b", "http://<redacted>@h#a@b"),
            ("http://h/a@b", "http://h/a@b"), ("http://h?a@b", "http://h?a@b"),
            ("http://h/?token=hush", "http://h/?token=<redacted>"),
            ("http://h/?TOKEN=hush#f", "http://h/?TOKEN=<redacted>#f"),
            ("http://h/?a=1&api_key=hush&b=2", "http://h/?a=1&api_key=<redacted>&b=2"),
            ("http://h/?token=hush=hush?hush", "http://h/?token=<redacted>"),
            ("http://h/?token=hush?&a=1?2", "http://h/?token=<redacted>&a=1?2"),
            ("http://h/?%74oken=hush", "http://h/?%74oken=<redacted>"),
            ("http://h/?access%5Ftoken=hush", "http://h/?access%5Ftoken=<redacted>"),
            ("http://h/?token", "http://h/?token"), ("http://h/?token=", "http://h/?token=<redacted>"),
            ("http://h/?&&a=b&", "http://h/?&&a=b&"), ("http://h/auth/a;v=1?b=2", "http://h/auth/a;v=1?b=2"),
            ("http://h/?next=http://u:p@g/x", "http://h/?next=http://<redacted>@g/x"),
            ("http://h/cb#access_token=hush", "http://h/cb#access_token=<redacted>"),
        ] as [(String, String)]
    )
    func `redacts URLs`(url: String, shown: String) throws {
        #expect(try SecretPolicy.standard.redacted(#require(URL(string: url))) == shown)
        #expect(try SecretPolicy.off.redacted(#require(URL(string: url))) == url)
    }

    // MARK: - Bodies

    private func compact(_ body: String, _ policy: SecretPolicy = .standard) -> String {
        policy.redacted(body: Data(body.utf8)).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .joined().replacing("\" : ", with: "\":")
    }

    static let redactedBodies: [(String, String)] = [
        (#"{"user":"a","password":"hush"}"#, #"{"password":"<redacted>","user":"a"}"#),
        (#"[{"token":{"value":"hush"}},1]"#, #"[{"token":"<redacted>"},1]"#),
        (#"{"a":{"b":[{"apiKey":["hush"]}]}}"#, #"{"a":{"b":[{"apiKey":"<redacted>"}]}}"#),
        (
            #"{"userPassword":"hush","count":3,"none":null,"on":true}"#,
            #"{"count":3,"none":null,"on":true,"userPassword":"<redacted>"}"#
        ),
        (#"{"token":null,"secret":true,"pin":1234}"#, #"{"pin":"<redacted>","secret":true,"token":null}"#),
        (#"{"data":"{no json"}"#, #"{"data":"{no json"}"#),
        (#"{"url":"http://u:hush@h/?token=hush"}"#, #"{"url":"http://<redacted>@h/?token=<redacted>"}"#),
        (#"{"next":"/x?page=2&token=hush"}"#, #"{"next":"/x?page=2&token=<redacted>"}"#),
        (
            #"{"text":"see http://h/?token=hush or http://u:hush@h/ now"}"#,
            #"{"text":"see http://h/?token=<redacted> or http://<redacted>@h/ now"}"#
        ),
        ("{\"password\":\"hush\"}\n{\"a\":1}", #"{"password":"<redacted>"}{"a":1}"#),
        ("\u{FEFF}{\"token\":\"hush\"}", #"{"token":"<redacted>"}"#),
        ("\u{FEFF}token=hush", "token=<redacted>"),
        ("user=a&password=hush", "user=a&password=<redacted>"),
        ("password=hush?hush&user=a", "password=<redacted>&user=a"),
        (#"<a href="/x?token=hush">next</a>"#, #"<a href="/x?token=<redacted>">next</a>"#),
    ]

    @Test(arguments: brief(redactedBodies))
    func `redacts bodies`(_ argument: Brief<(String, String)>) {
        let (body, shown) = argument.value
        #expect(compact(body) == shown)
    }

    @Test func `escapes control characters`() {
        #expect(SecretPolicy.standard.redacted(body: Data("a\u{1B}[2Jb\r\nc\td".utf8)) == "a\\u{1B}[2Jb\\u{D}\nc\td")
        #expect(!compact(#"{"a":"\u001b[2J\r"}"#).unicodeScalars.contains { $0.value < 32 })
    }

    // MARK: - Hostile nesting

    private static func nested(_ levels: Int, around text: String) -> String {
        String(repeating: "[", count: levels) + text + String(repeating: "]", count: levels)
    }

    static let deepTexts = [
        nested(100, around: #"{"token":"hush"}"#), nested(200, around: #"{"token":"hush"}"#),
        nested(505, around: #"{"token":"hush"}"#),
    ]

    @Test(arguments: brief(deepTexts))
    func `fits a small stack`(_ argument: Brief<String>) async {
        let body = argument.value
        let shown = await onSmallStack { SecretPolicy.standard.redacted(body: Data(body.utf8)) }
        #expect(!shown.isEmpty)
        #expect(!shown.contains("hush"))
    }

    @Test func `does not show what is nested too deeply`() {
        let body = Self.nested(200, around: #"{"token":"hush"}"#)
        let shown = SecretPolicy.standard.redacted(body: Data(body.utf8))
        #expect(shown == "\(body.utf8.count) bytes of JSON, nested too deeply to show")
    }

    @Test(
        arguments: brief(
            [
                (#"{"b":1.10,"password":"hush","a":"x"}"#, #"{"b":1.10,"password":"<redacted>","a":"x"}"#, ["hush"]),
                (
                    #"{"url":"http://u:hush@h/?a=1&token=hush-2"}"#,
                    #"{"url":"http://<redacted>@h/?a=1&token=<redacted>"}"#,
                    ["u:hush", "hush-2"]
                ),
                ("{\"token\":\"hush\"}\n{\"a\":1}\n", "{\"token\":\"<redacted>\"}\n{\"a\":1}\n", ["hush"]),
                ("user=a&password=hush%2F1&b=2", "user=a&password=<redacted>&b=2", ["hush%2F1"]),
                ("a\u{1B}\r\n\0 b", "a\u{1B}\r\n\0 b", []), ("", "", []),
            ] as [(String, String, [String])]
        )
    )
    func `redacts the values of a recording that it names`(_ argument: Brief<(String, String, [String])>) {
        let (body, kept, secrets) = argument.value
        var found: [String] = []
        let redacted = SecretPolicy.standard.redacted(body: body) { secret in
            found.append(secret)
            return SecretPolicy.replacement
        }
        #expect(redacted == kept)
        #expect(found == secrets)
    }

    static let bodiesOfRecordings = [
        #"{"token":"hush"#, "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhush\r\n--b--",
    ]

    @Test(arguments: brief(bodiesOfRecordings))
    func `omits bodies of recordings that it cannot read`(_ argument: Brief<String>) {
        let body = argument.value
        #expect(SecretPolicy.standard.redacted(body: body) == nil)
        #expect(SecretPolicy.off.redacted(body: body) == body)
    }

    static let redactedTexts: [(String, String)] = [
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
    func `redacts secrets in text`(_ argument: Brief<(String, String)>) {
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
    @Test(
        arguments: [
            "Authorization: Basic dTpo", "Bearer dTpo", "<token>dTpo</token>", "a=token%3DdTpo",
            "the value of Authorization contains a line break or a NUL", "X-Auth-Token is missing",
            "$.user.token: Expected to decode Int but found a string instead",
            "$.users[2].password: the key a is missing",
            "the Bearer token is missing", "Basic authentication is required",
            "Bearer realm=\"api\", error=\"invalid_request\"",
            "Basic realm=\"tea\"", "Bearer", "Bearer ", "a bearer of news", "token", "the token expired at 12:30",
            "if (token == b) { return }",
            "text/html; charset=utf-8", "max-age=3600, public", "Sun, 06 Nov 1994 08:49:37 GMT", "W/\"a:b\"",
            "12:30:59",
            "/srv/server.key: No such file or directory", "std::session::open", "token://a",
            "<html><body>key</body></html>", "<!-- token -->", "a < token > b",
            "http://h:80/a;v=1?b=c:d", "a, b; c", "if (a == b) { return }", "ü=🫖", "", "=", ":", "<", "//", "@", "\"",
            "'",
        ] as [String]
    )
    func `leaves other text`(text: String) {
        #expect(SecretPolicy.standard.redacted(text: text) == text)
    }
}
