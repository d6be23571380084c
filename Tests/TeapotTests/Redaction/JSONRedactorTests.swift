import Foundation
@testable import Teapot
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct JSONRedactorTests {
    private static func redacted(_ json: String) -> (text: String, secrets: [String]) {
        var redactor = JSONRedactor(by: .off.adding(["token"]).adding(secrets: ["hush", "314159"]))
        return (redactor.redacted(json), redactor.secrets)
    }

    static let textsWithoutSecrets = [
        #"{"a":1}"#, " [ ] ", #""""#,
        #"{"b" : 1.10, "a": 12345678901234567890, "a":1E+2 , "é\n\u00e9\/":"\ud83e\uded6"}"#,
        "{\"a\":1}\n{\"b\":2}\r\n\n[3]\n4\n", "{\n  \"a\" : [ true, false, null, -0.0 ]\n}\n",
        #"{"token":null,"b":{"token" : true},"c":{"token":false}}"#, #"["token","token:","{","{\"a\" : 1}"]"#,
    ]

    @Test(arguments: brief(textsWithoutSecrets))
    func `keeps its bytes if there is no secret`(_ argument: Brief<String>) {
        let json = argument.value
        #expect(JSONRedactor.isJSON(json))
        #expect(Self.redacted(json).text == json)
        #expect(Self.redacted(json).secrets.isEmpty)
    }

    @Test(
        arguments: brief(
            [
                (#"{"b" : 1.10, "token" : "x\"y", "a":2}"#, #"{"b" : 1.10, "token" : "<redacted>", "a":2}"#, [#"x"y"#]),
                (
                    #"{"token":{"a":["x1",1,{"b":"]}y"}],"c":"z","token":"z"},"d":1}"#,
                    #"{"token":"<redacted>","d":1}"#,
                    ["x1", "]}y", "z", "z"]
                ),
                (
                    #"[{"token":[]},{"token":12},{"token":""}]"#,
                    #"[{"token":"<redacted>"},{"token":"<redacted>"},{"token":"<redacted>"}]"#, [""]
                ),
                (#"{"\u0074oken":"x"}"#, #"{"\u0074oken":"<redacted>"}"#, ["x"]),
                ("{\"token\":\"x\"}\n\n{\"a\":1}\n", "{\"token\":\"<redacted>\"}\n\n{\"a\":1}\n", ["x"]),
                (#"{"a":"a\/hush\n","hush":1}"#, #"{"a":"a/<redacted>\n","<redacted>":1}"#, []),
                (#"{"a":"token=x1"}"#, #"{"a":"token=<redacted>"}"#, ["x1"]),
                (#"{"a":314159,"b":3141590,"c":"3141590"}"#, #"{"a":"<redacted>","b":3141590,"c":"<redacted>0"}"#, []),
                (#"{"raw":"{no JSON, hush"}"#, #"{"raw":"{no JSON, <redacted>"}"#, []),
            ] as [(String, String, [String])]
        )
    )
    func `loses only the secrets`(_ argument: Brief<(String, String, [String])>) {
        let (json, expected, secrets) = argument.value
        let (text, found) = Self.redacted(json)
        #expect(text == expected)
        #expect(found == secrets)
        #expect(JSONRedactor.isJSON(text))
    }

    static let otherTexts = [
        "", " ", "1", "true", "text", "{", "{}x", "{}{}", "{'a':1}", "{}\nx", "{}\n{", "\"a", "a=1&b={}",
        "1\n{}",
    ]

    @Test(arguments: brief(otherTexts))
    func `is nothing else`(_ argument: Brief<String>) {
        let text = argument.value
        #expect(!JSONRedactor.isJSON(text))
    }

    @Test(arguments: [
        ##"{"a":"hush1"} x "hush2""##, ##"{"token":["hush1" "hush2"]}"##, ##"["hush1\x", "hush2"]"##,
        #"["hush1" : "hush2"]"#,
    ])
    func `redacts up to the first byte that is not JSON`(text: String) {
        #expect(!Self.redacted(text).text.contains("hush"))
    }
}
