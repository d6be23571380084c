import Foundation
@testable import Teapot
import TestSupport
import TestTraits
import Testing

/// What the server said in the body of an error, in the texts for developers.
@Suite(.inTurn)
struct ServerReasonTests {
    private func error(_ body: Data, _ contentType: String?, status: Int = 422) async throws -> TeapotError {
        let transport = ManualTransport { hop in
            hop.respond(status, headers: contentType.map { ["Content-Type": $0] } ?? [:])
            hop.report(.data(body))
            hop.report(.finished(nil))
        }
        let teapot = Teapot(
            baseURL: try #require(URL(string: "http://u:hush-password@api.example")),
            transport: transport
        )
        teapot.plugins = [Credential(headerField: "X-Odd", value: "hush-hush-token")]
        return try #require(
            await thrown { () throws(TeapotError) in
                try await teapot.send(Teapot.Request(path: "notes").with { $0.timeoutInterval = .infinity })
            }
        )
    }

    static let said: [(String?, String, String)] = [
        ("application/json", #"{"detail":"title is too short"}"#, #"{"detail":"title is too short"}"#),
        ("application/vnd.api+json; charset=utf-8", #"[{"code": 1}]"#, #"[{"code": 1}]"#),
        ("text/plain", "  title\r\n\tis too short\n", "title is too short"),
        ("text/plain; charset=iso-8859-1", "caf\u{E9}", "caf\u{E9}"),
        ("TEXT/HTML", "<h1>\n  Not now</h1>", "<h1> Not now</h1>"),
        ("text/plain", "a\u{1B}[2J\u{202E}b", "a\\u{1B}[2J\\u{202E}b"),
        (nil, #"{"a":1}"#, #"{"a":1}"#), (nil, "title is too short\n", "title is too short"),
        ("application/problem+json", #"{"title":"Too short","detail":"3 of 5"}"#, "Too short: 3 of 5"),
        // Problem details without a word.
        ("application/problem+json", #"{"errors":["a"]}"#, #"{"errors":["a"]}"#),
        // Secrets, by name and in use.
        (
            "application/json", #"{"password":"hush","note":"hush-hush-token"}"#,
            #"{"password":"<redacted>","note":"<redacted>"}"#
        ),
        ("text/plain", "no such user: token=hush, hush%2Dhush-token", "no such user: token=<redacted> <redacted>"),
        ("application/x-ndjson", "{\"token\":\"hush\"}\n{\"a\":1}", "{\"token\":\"<redacted>\"} {\"a\":1}"),
    ]

    @Test(arguments: brief(said)) func `are shown to developers only`(_ row: Brief<(String?, String, String)>)
        async throws
    {
        let (type, body, reason) = row.value
        let encoding: String.Encoding = type?.contains("8859") == true ? .isoLatin1 : .utf8
        let error = try await error(try #require(body.data(using: encoding)), type)
        #expect(error.failureReason == reason)
        #expect(error.debugDescription == "GET /notes: 422 Unprocessable Entity (\(reason))")
        #expect("\(error)" == error.debugDescription || "\(error)".contains(reason))
        for text in [error.description, error.localizedDescription] {
            #expect(text == LocalizedStrings.text("Teapot:InvalidResponseStatus", ["422"]))
        }
    }

    static let silent: [(String?, Data)] = [
        ("application/json", Data()), ("text/plain", Data(" \n".utf8)), ("image/png", Data("text".utf8)),
        ("application/octet-stream", Data("text".utf8)), ("application/xml", Data("<a/>".utf8)),
        (nil, Data("<Error>text</Error>".utf8)), (nil, Data("a\0b".utf8)), (nil, Data([0x61, 0xFF])),
        ("application/x-www-form-urlencoded", Data("a=1".utf8)), ("text/plain", Data([0x61, 0, 0x62])),
        ("text/plain", Data([0xFF, 0xFE, 0xFD])), ("text/plain; charset=unknown", Data("text".utf8)),
        // Secrets in it would not be found.
        ("application/json", Data(#"{"a":"hush"#.utf8)),
        ("text/plain", Data("--b\r\nContent-Disposition: form-data; name=a\r\n\r\nhush".utf8)),
    ]

    @Test(arguments: brief(silent.indices) { "\(silent[$0])" })
    func `are not shown of other bodies`(row: Brief<Int>) async throws {
        let (type, body) = Self.silent[row.value]
        let error = try await error(body, type)
        #expect(error.failureReason == nil)
        #expect(error.debugDescription == "GET /notes: 422 Unprocessable Entity")
    }

    @Test(arguments: [100, 185, 190, 195, 199, 200, 1_000, 70_000]) func `are cut, but no secret is`(place: Int)
        async throws
    {
        let filler = String(repeating: "x", count: place)
        for secret in ["hush-hush-token", "token=hush", "http://u:hush@h/"] {
            let error = try await error(Data("\(filler) \(secret) y".utf8), "text/plain")
            let reason = try #require(error.failureReason)
            #expect(!reason.contains("hush"))
            #expect(reason.hasPrefix(filler.prefix(200)))
            #expect(reason.count == min(200, reason.count))
        }
        let json = #"{"a":"\#(filler)","password":"hush"}"#
        let reason = try await error(Data(json.utf8), "application/json").failureReason
        #expect(reason == String(#"{"a":"\#(filler)","password":"<redacted>"}"#.prefix(200)))
    }

    /// Of one character.
    @Test func `are bounded whatever a character is`() async throws {
        let character = "e" + String(repeating: "\u{301}", count: 100_000)
        let error = try await error(Data(character.utf8), "text/plain")
        #expect(error.failureReason?.unicodeScalars.count == 200)
        let problem = try await self.error(Data(#"{"title":"\#(character)"}"#.utf8), "application/problem+json")
        #expect(problem.failureReason?.unicodeScalars.count == 500)
    }

    @Test func `are of the last response`() async throws {
        let error = try await error(Data("too late".utf8), "text/plain", status: 409)
        #expect("\(error.underlyingError as Any)" == "nil")
        var dumped = ""
        dump(error, to: &dumped)
        #expect(dumped.contains("409 Conflict (too late)"))
    }
}
