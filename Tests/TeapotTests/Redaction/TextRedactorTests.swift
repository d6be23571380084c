import Foundation
@testable import Teapot
import TestSupport
import TestTraits
import Testing

/// JSON that is the whole body, a part of one, or nearly JSON.
@Suite(.inTurn)
struct TextRedactorTests {
    private static let policy = SecretPolicy.off.adding(["token"]).adding(secrets: ["hush", "314159"])

    private static func redacted(_ body: String) -> (text: String?, secrets: [String]) {
        var secrets: [String] = []
        let text = policy.redacted(body: body) { secret in
            secrets.append(secret)
            return SecretPolicy.replacement
        }
        return (text, secrets)
    }

    // MARK: - JSON that is the whole body

    static let textsWithoutSecrets = [
        #"{"a":1}"#, " [ ] ", #""""#,
        #"{"b" : 1.10, "a": 12345678901234567890, "a":1E+2 , "é\n\u00e9\/":"\ud83e\uded6"}"#,
        "{\"a\":1}\n{\"b\":2}\r\n\n[3]\n4\n", "{\n  \"a\" : [ true, false, null, -0.0 ]\n}\n", "{}{}",
        #"{"token":null,"b":{"token" : true},"c":{"token":false}}"#, #"["token","token:","{","{\"a\" : 1}"]"#,
        // Other text.
        "", " ", "1", "true", "text", "a=1&b={}", "1\n{}", "data: [DONE]\n\n", "data\n\n:\n\ndata:\n", "b[0]={c}",
        "\u{FEFF}{\"a\":1}", "\u{1E}{\"a\":1}\n\u{1E}[2]\n\u{1E}3\n", "data:\u{1E}\u{FEFF}é", #"say "it": "#,
        #"the "token": it is"#,
        "<script>x = {\"a\": y, b: [\"c\", d]}</script>", "a { color: red }", "(function(){\"use strict\";})()",
        ")]}',\n{\"a\":1}", "cb({\"a\":[1]});", "{\r\n\"a\"\r:1}", "data: {\ndata:\"a\":\ndata:1}\n\n",
    ]

    @Test(arguments: brief(textsWithoutSecrets))
    func `keeps its bytes if there is no secret`(_ argument: Brief<String>) throws {
        let text = argument.value
        #expect(try #require(Self.redacted(text).text).utf8.elementsEqual(text.utf8))
        #expect(Self.redacted(text).secrets.isEmpty)
    }

    @Test(
        arguments: brief(
            [
                (#"{"b" : 1.10, "token" : "x\"y", "a":2}"#, #"{"b" : 1.10, "token" : "<redacted>", "a":2}"#, [#"x"y"#]),
                (
                    #"{"token":{"a":["x1",1,{"b":"]}y"}],"c":"z","token":"z"},"d":1}"#,
                    #"{"token":"<redacted>","d":1}"#,
                    [#"{"a":["x1",1,{"b":"]}y"}],"c":"z","token":"z"}"#]
                ),
                (
                    #"[{"token":[]},{"token":12},{"token":""}]"#,
                    #"[{"token":"<redacted>"},{"token":"<redacted>"},{"token":"<redacted>"}]"#, ["[]", "12", ""]
                ),
                (#"{"\u0074oken":"x"}"#, #"{"\u0074oken":"<redacted>"}"#, ["x"]),
                ("{\"token\":\"x\"}\n\n{\"a\":1}\n", "{\"token\":\"<redacted>\"}\n\n{\"a\":1}\n", ["x"]),
                (#"{"a":"a\/hush\n","hush":1}"#, #"{"a":"a/<redacted>\n","<redacted>":1}"#, ["hush", "hush"]),
                (#"{"a":"token=x1"}"#, #"{"a":"token=<redacted>"}"#, ["x1"]),
                (
                    #"{"a":314159,"b":3141590,"c":"3141590"}"#, #"{"a":"<redacted>","b":3141590,"c":"<redacted>0"}"#,
                    ["314159", "314159"]
                ),
                (#"{"raw":"{no JSON, hush"}"#, #"{"raw":"{no JSON, <redacted>"}"#, ["hush"]),
                // JSON in a string.
                (#"{"a":"{\"token\":\"x\"}"}"#, #"{"a":"{\"token\":\"<redacted>\"}"}"#, ["x"]),
                (#""{\"a\":\"[{\\\"token\\\":1}]\"}""#, #""{\"a\":\"[{\\\"token\\\":\\\"<redacted>\\\"}]\"}""#, ["1"]),
                (#"{"a":"cut {\"token\":\"x y"}"#, #"{"a":"cut {\"token\":<redacted>"}"#, ["x y"]),
            ] as [(String, String, [String])]
        )
    )
    func `loses only the secrets`(_ argument: Brief<(String, String, [String])>) {
        let (json, expected, secrets) = argument.value
        let (text, found) = Self.redacted(json)
        #expect(text == expected)
        #expect(found == secrets)
    }

    // MARK: - JSON in other text

    static let wrapped: [(String, String?)] = [
        // Sequences of texts.
        (
            "\u{1E}{\"token\":\"x\"}\n\u{1E}[{\"token\":1}]\n\u{1E}4\n",
            "\u{1E}{\"token\":\"<redacted>\"}\n\u{1E}[{\"token\":\"<redacted>\"}]\n\u{1E}4\n"
        ),
        ("{\"token\":\"x\"}\u{1E}{\"a\":1}\u{1E}", "{\"token\":\"<redacted>\"}\u{1E}{\"a\":1}\u{1E}"),
        ("17\n{\"token\":\"x\"}\n", "17\n{\"token\":\"<redacted>\"}\n"),
        ("42[\"a\",{\"token\":1}]", "42[\"a\",{\"token\":\"<redacted>\"}]"),
        // Behind a prefix, and in a call.
        (")]}',\n{\"token\":\"x\"}", ")]}',\n{\"token\":\"<redacted>\"}"),
        (")]}'[{\"token\":\"x\"}]", ")]}'[{\"token\":\"<redacted>\"}]"),
        ("for (;;);{\"token\":\"x\"}", "for (;;);{\"token\":\"<redacted>\"}"),
        ("while(1);{\"token\":1}", "while(1);{\"token\":\"<redacted>\"}"),
        ("throw 1; <dont parse this>\n{\"token\":\"x\"}", "throw 1; <dont parse this>\n{\"token\":\"<redacted>\"}"),
        ("&&&START&&&{\"a\":{\"token\":\"x\"}}", "&&&START&&&{\"a\":{\"token\":\"<redacted>\"}}"),
        ("cb({\"token\":\"x\"})", "cb({\"token\":\"<redacted>\"})"),
        ("/**/a.b[0]([{\"token\":\"x\"}]);", "/**/a.b[0]([{\"token\":\"<redacted>\"}]);"),
        (
            "/**/ typeof cb === 'function' && cb({\"token\":\"x\"});",
            "/**/ typeof cb === 'function' && cb({\"token\":\"<redacted>\"});"
        ),
        ("cb(\"a\", {\"token\":\"x\"})", "cb(\"a\", {\"token\":\"<redacted>\"})"),
        // In a page, a line of a log, an item.
        ("<script>let a = {\"token\":\"x\"};</script>", "<script>let a = {\"token\":\"<redacted>\"};</script>"),
        (
            "sent {\"token\":\"x\"} and got [{\"token\":2}]",
            "sent {\"token\":\"<redacted>\"} and got [{\"token\":\"<redacted>\"}]"
        ),
        (
            "a={\"token\":\"x\"}&token={\"b\":\"x y\"}&token=x[0]",
            "a={\"token\":\"<redacted>\"}&token=<redacted>&token=<redacted>"
        ),
        ("[see] {\"token\":\"x\"}", nil), ("(see [1] {\"token\":\"x\"})", "(see [1] {\"token\":\"<redacted>\"})"),
    ]

    @Test(arguments: brief(wrapped))
    func `finds JSON in other text`(_ argument: Brief<(String, String?)>) throws {
        let (body, expected) = argument.value
        let text = Self.redacted(body).text
        #expect(text == expected || expected == nil && text?.contains("x") != true)
        // Redacted text may be redacted again.
        if let text { #expect(Self.redacted(text).text == text) }
    }

    static let unreadable = [
        #"{"a":1,"b":"#, "\"a", "{'a':1}", "{token:1}", "{",
        ##"{"token":["hush1" "hush2"]}"##, ##"["hush1\x", "hush2"]"##,
        #"["hush1" : "hush2"]"#,
        "\u{1E}{\"a\":1}\n\u{1E}{\"a\":",
        "data: {\n: note\ndata: \"token\":1}\n\n",
        ")]}',\n{\"a\":", "while(1);{\"a\":\"", "cb({\"a\":\"http:\\/\\/u:x@h", "cb({\"token\": {}",
        "page with {\"a\": b, \"token\": \"x\"}",
        "page with {'token': 'x'}", String(repeating: "{\"a\":", count: 600) + "1" + String(repeating: "}", count: 600),
    ]

    @Test(arguments: brief(unreadable))
    func `leaves out what seems to be JSON but is not`(_ argument: Brief<String>) {
        #expect(Self.redacted(argument.value).text == nil)
    }

    @Test func `takes the rest of a text whose secret member does not end`() {
        let redactor = SecretPolicy.standard
        #expect(redactor.redacted(text: #"x {"token": "a b"} c"#) == #"x {"token": "<redacted>"} c"#)
        #expect(redactor.redacted(text: #"x "token": {"a": b} c"#) == #"x "token": <redacted>"#)
        #expect(redactor.redacted(text: #"x 'token': 'a b'"#) == "x 'token': <redacted>")
        #expect(redactor.redacted(text: #"x {\"token\":\"a b\"}"#) == #"x {\"token\":<redacted>"#)
    }

    @Test func `knows the strings of a credential that is JSON`() {
        let credential = Credential(headerField: "X-Key", value: #"{"k":["hush-hush"],"n":123456}"#)
        let policy = SecretPolicy.standard.adding([credential])
        let text = #"{"k":["hush-hush"],"n":123456} {"k": ["hush-hush"], "n": 123456} hush-hush"#
        #expect(
            policy.redacted(text: text) == #""<redacted>" {"k": ["<redacted>"], "n": "<redacted>"} <redacted>"#
        )
    }

    @Test func `fits a small stack, however often JSON is written into strings`() async {
        var text = #"{"token":"hush4711"}"#
        for _ in 0..<14 {
            text = "{\"a\":\(String(decoding: (try? JSONWriter.data(of: text)) ?? Data(), as: UTF8.self))}"
        }
        let shown = await onSmallStack { [text] in
            let redactor = SecretPolicy.standard
            return redactor.redacted(body: text)
        }
        #expect(shown?.contains("hush4711") == false)
        #expect(shown?.contains("<redacted>") == true)
    }

    /// A quotation mark that is escaped as often as possible in few bytes.
    private static func quote(_ depth: Int) -> String {
        depth == 0 ? "\"" : "\\" + String(repeating: "u005c", count: depth - 1) + "u0022"
    }

    @Test(arguments: [3, 5, 100, 300])
    func `fits a small stack, however deep the strings in strings are`(depth: Int) async {
        let quotes = (0...depth).map(Self.quote)
        let secret = "{\(quotes[depth])token\(quotes[depth]):\(quotes[depth])hush4711\(quotes[depth])}"
        let text = quotes.dropLast().reversed().reduce(secret) { "[\($1)\($0)\($1)]" }
        let shown = await onSmallStack { [text] in
            let redactor = SecretPolicy.standard
            return redactor.redacted(body: text)
        }
        #expect(shown?.contains("hush4711") == false)
        #expect(shown?.contains("<redacted>") == true)
        #expect(shown.flatMap { JSONScanner.value(of: Data($0.utf8)) } != nil)
    }

    @Test(
        arguments: brief(
            [
                ("abc[1]def", "see abc[1]def.", "see <redacted>."),
                ("hunter{}22", "see hunter{}22.", "see <redacted>."),
                ("hunter[]", "a=hunter[]", "a=<redacted>"), ("[\"ab\"]cd", "x [\"ab\"]cd", "x <redacted>"),
                ("1234[\"ab\"", "x1234[\"ab\", 2]", "x<redacted>, 2]"),
                ("123456", "see [1234567]", "see [<redacted>7]"),
                // Over several tokens of JSON.
                ("{\"k\":\"v\"}", "[{\"k\":\"v\"}]", "[\"<redacted>\"]"),
                ("{\"k\":\"v\"}", "see {\"k\":\"v\"}", "see \"<redacted>\""),
                ("{\"k\":\"v\"}", "[{\"k\": \"v\", \"a\": b", nil),
                ("ab\",\"cd", "[\"ab\",\"cd\"]", "[\"<redacted>\"]"),
                // Over the end of an item.
                ("hush hush", "token=hush hush&a=1", "token=<redacted>&a=1"),
                ("hush&a=1", "token=hush&a=12", "token=<redacted>2"),
                ("x&token", "ax&token=hush", "a<redacted>=<redacted>"),
            ] as [(String, String, String?)]
        )
    )
    func `finds a known secret across what is redacted by its name`(_ argument: Brief<(String, String, String?)>) {
        let (secret, text, expected) = argument.value
        let redactor = SecretPolicy.standard.adding(secrets: [secret])
        #expect(redactor.redacted(body: text) == expected)
        #expect(!redactor.redacted(text: text).contains(secret))
    }

    @Test(arguments: ["[]", "{}", "[1]", "{\"a\":\"b c\"}", "[", "{\"a\"", "\"a b\""])
    func `takes the value of an item to its end`(start: String) {
        let redactor = SecretPolicy.standard
        let text = redactor.redacted(text: "password=\(start)hunter2&a=1")
        #expect(!text.contains("hunter2"))
        #expect(text.hasPrefix("password=<redacted>"))
        #expect(text.hasSuffix("&a=1"))
    }

    @Test(
        arguments: brief(
            [
                ("'pin': 12ab34, 'a': 1", "'pin': <redacted>"),
                ("\"sessionId\": 550e8400-e29b-41d4, 1", "\"sessionId\": <redacted>"),
                ("\"pin\": 0123456}", "\"pin\": <redacted>"), ("\"pin\": -1.2.3 x", "\"pin\": <redacted>"),
                ("\"token\": \"ab\"cd\", 1", "\"token\": <redacted>"),
                ("\"token\": []hush\n1", "\"token\": <redacted>"),
            ] as [(String, String)]
        )
    )
    func `takes the value of a member to the end of the text`(_ argument: Brief<(String, String)>) {
        let (text, expected) = argument.value
        let redactor = SecretPolicy.standard
        #expect(redactor.redacted(text: "x \(text)") == "x \(expected)")
        #expect(redactor.redacted(body: "x \(text)") == nil)
    }

    static let readable: [(String, String?)] = [
        ("Enter value [", "Enter value ["), ("a {", "a {"), ("\n[\n{", "\n[\n{"), ("{}x", "{}x"), ("{}\nx", "{}\nx"),
        ("[DONE]", "[DONE]"), ("[::1]", "[::1]"),
        ("see:\n\"not closed", "see:\n\"not closed"),
        ("{\"a\":\"Content-Disposition: inline\"}", "{\"a\":\"Content-Disposition: inline\"}"),
        ("the Content-Disposition: a field", "the Content-Disposition: a field"),
        ("\r\n--b\r\ncontent-disposition: form-data\r\n\r\nx", nil),
    ]

    @Test(arguments: brief(readable))
    func `leaves out no more than it must`(_ argument: Brief<(String, String?)>) {
        let (body, expected) = argument.value
        #expect(Self.redacted(body).text == expected)
        if let expected { #expect(Self.redacted(expected).text == expected) }
    }

    @Test(
        arguments: brief([
            "{\"a\":[", "[[", "{\"a\":1,", "\"token\":", "{ ", "{\"", "[1,", "cb({\"a\":", "token=[\"\",",
            "token={\"a\":[",
            "\ndata: [1]", "\n\ndata: {\"a\":", "\ndata: {\"a\":", "[1]", "[[1]]", "'pin': 1",
            "code=", " code=", "token =", "token= ", "token = ", "= ", " =", "token=' ", "token= a=", "   token",
            "token = <redacted> ", "{\"code\":", "{\"tok\\u0065n\":", "{\"ticket\":{\"a\":", "{\"ticket\":[",
            "\ndata: [\"a", "\"code=", "&code=", "[{\"code\":1}]", "\n{\"code\":1}",
        ])
    )
    func `takes time that grows with the text`(_ argument: Brief<String>) {
        let part = argument.value
        let text = "x" + String(repeating: part, count: 400_000 / part.utf8.count)
        let redactor = Self.policy
        _ = redactor.redacted(text: text)
    }

    static let spaced: [(String, String)] = [
        ("token = \"x y\"", "token = <redacted>"), ("token =\"x y\"", "token =<redacted>"),
        ("token= \"x y\"", "token= <redacted>"),
        ("a = 1\ntoken = x y\nb = 2", "a = 1\ntoken = <redacted>\nb = 2"),
        ("token\t=\tx\r\nb", "token\t=\t<redacted>\r\nb"),
        ("[db]\npassword=x\nuser = a", "[db]\npassword=<redacted>\nuser = a"),
        ("token   =   'x y' # why", "token   =   <redacted> # why"),
        ("token='x y' b='z'", "token=<redacted> b='z'"), ("it's token='x", "it's token=<redacted>"),
        ("token = 'x y", "token = <redacted>"),
        ("export API_KEY = x", "export API_KEY = <redacted>"), ("db.password = x", "db.password = <redacted>"),
        ("token= x y\nb", "token= <redacted>\nb"), ("token= level=info", "token= <redacted>"),
        ("token= eHh4=", "token= <redacted>"), ("token=\nb = 1", "token=<redacted>\nb = 1"),
        ("a=1&token=&b=2", "a=1&token=<redacted>&b=2"),
        ("token = {\"a\": \"x y\"}", "token = <redacted>"), ("{\"a\":\"token = x\"}", "{\"a\":\"token = <redacted>\"}"),
        ("'token' => 'x', token => 'x'", "'token' => <redacted> token => <redacted>"),
        (#""token" = "hunter2"; "a" = "b";"#, #""token" = <redacted> "a" = "b";"#),
        (#"a "password"=>"x y", "b"=>"c""#, #"a "password"=><redacted> "b"=>"c""#),
        ("token' = x, 'a\"token\" = x", "token' = x, 'a\"token\" = <redacted>"),
        ("if token == other {", "if token == other {"),
        ("the token is = 5, level = 5", "the token is = 5, level = 5"), ("token_type = bearer", "token_type = bearer"),
        ("code = 5", "code = 5"),
    ]

    @Test(arguments: brief(spaced)) func `finds a value with blanks around the equals sign`(
        _ argument: Brief<(String, String)>
    ) {
        let (text, expected) = argument.value
        let redactor = SecretPolicy.standard
        #expect(redactor.redacted(text: text, replacing: nil) == expected)
        #expect(redactor.redacted(text: expected, replacing: nil) == expected)
    }

    static let codes: [(String, String)] = [
        // An item of a query, a fragment or a form.
        ("/cb?code=x&state=1", "/cb?code=<redacted>&state=1"), ("http://h/cb#code=x", "http://h/cb#code=<redacted>"),
        ("/cb?state=1&Code=x", "/cb?state=1&Code=<redacted>"), ("/cb?c%6Fde=x", "/cb?c%6Fde=<redacted>"),
        (#"{"grantType":"a","code":"x"}"#, #"{"grantType":"a","code":"<redacted>"}"#),
        (#"{"ClientSecret":"y","Code":"x"}"#, #"{"ClientSecret":"<redacted>","Code":"<redacted>"}"#),
        (#"{"Ticket":"TGT-1-abcdefghijklmnop"}"#, #"{"Ticket":"<redacted>"}"#),
        (#"{"redirect_uri":"a","code":"x"}"#, #"{"redirect_uri":"a","code":"<redacted>"}"#),
        (#"{"ticket":"PVE:root@pam:65A1B2C3"}"#, #"{"ticket":"<redacted>"}"#),
        (
            #"{"ticket":"TEA-1","a":{"ticket":1234567890123456789}}"#,
            #"{"ticket":"TEA-1","a":{"ticket":1234567890123456789}}"#
        ),
        (#"{"ticket":"the kettle is broken","code":"x"}"#, #"{"ticket":"the kettle is broken","code":"x"}"#),
        ("code=x&grant_type=authorization_code", "code=<redacted>&grant_type=authorization_code"),
        ("code=x", "code=<redacted>"), ("curl -d 'code=x&a=1'", "curl -d 'code=<redacted>&a=1'"),
        ("sent code=x&a=1", "sent code=<redacted>&a=1"),
        ("<a href=\"/cb?a=1&amp;code=x\">", "<a href=\"/cb?a=1&amp;code=<redacted>\">"),
        ("https://h/app?ticket=ST-1-x", "https://h/app?ticket=<redacted>"),
        (#"{"url":"/cb?code=x","form":"code=x&a=1"}"#, #"{"url":"/cb?code=<redacted>","form":"code=<redacted>&a=1"}"#),
        // A member of a request for a token.
        (
            #"{"grant_type":"authorization_code","code":"x"}"#,
            #"{"grant_type":"authorization_code","code":"<redacted>"}"#
        ),
        (
            #"{"code":"x","client_id":"a","client_secret":"y"}"#,
            #"{"code":"<redacted>","client_id":"a","client_secret":"<redacted>"}"#
        ),
        (
            #"{"body":"{\"code\":\"x\",\"code_verifier\":\"y\"}"}"#,
            #"{"body":"{\"code\":\"<redacted>\",\"code_verifier\":\"<redacted>\"}"}"#
        ),
        // No grant.
        (
            #"{"code":404,"error":{"code":"not_found"},"ticket":"TEA-1"}"#,
            #"{"code":404,"error":{"code":"not_found"},"ticket":"TEA-1"}"#
        ),
        ("it failed (status code=404) with exit code=1", "it failed (status code=404) with exit code=1"),
        ("code=404 msg=no", "code=404 msg=no"),
        ("?error_code=x&codes=x&ticket_id=x", "?error_code=x&codes=x&ticket_id=x"),
        ("see ticket=TEA-1", "see ticket=TEA-1"), ("a?code", "a?code"),
    ]

    @Test(arguments: brief(codes)) func `takes the code of a grant for a secret, and no other`(
        _ argument: Brief<(String, String)>
    ) {
        let (text, expected) = argument.value
        let redactor = SecretPolicy.standard
        #expect(redactor.redacted(body: text) == expected)
        #expect(redactor.redacted(text: expected) == expected)
        let off = SecretPolicy.off.adding(["place"])
        #expect(off.redacted(text: text) == text)
    }
}
