import Foundation
import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct SecretPolicyBodyTests {
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
    func `redacts the values that it names`(_ argument: Brief<(String, String, [String])>) {
        let (body, kept, secrets) = argument.value
        var found: [String] = []
        #expect(SecretPolicy.standard.redacted(body: body, secrets: &found) == kept)
        #expect(found == secrets)
    }

    static let unreadableBodies = [
        #"{"token":"hush"#, "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhush\r\n--b--",
    ]

    @Test(arguments: brief(unreadableBodies))
    func `omits bodies that it cannot read`(_ argument: Brief<String>) {
        let body = argument.value
        var found: [String] = []
        #expect(SecretPolicy.standard.redacted(body: body, secrets: &found) == nil)
        #expect(SecretPolicy.off.redacted(body: body, secrets: &found) == body)
        #expect(found.isEmpty)
    }
}
