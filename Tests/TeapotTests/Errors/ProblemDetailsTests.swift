import Foundation
@testable import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct ProblemDetailsTests {
    /// The example of RFC 9457, section 3, with members of every kind besides.
    private static let outOfCredit = """
        {"type": "https://example.com/probs/out-of-credit", "title": "You do not have enough credit.", "status": 403, \
        "detail": "Your current balance is 30, but that costs 50.", "instance": "/account/12345/msgs/abc", \
        "balance": 30, "accounts": ["/account/12345", "/account/67890"], "is": {"nested": true}}
        """

    private func error(
        _ body: String,
        _ contentType: String = "application/problem+json"
    ) async throws -> TeapotError {
        let mock = MockTeapot(strictIn: .module)
        let answer = MockResponse.data(Data(body.utf8), contentType: contentType, status: .forbidden)
        try mock.overrideEndPoint("msgs", with: answer)
        return try #require(await thrown { () throws(TeapotError) in try await mock.get("msgs") })
    }

    @Test func `the example of the RFC is read`() async throws {
        let error = try await error(Self.outOfCredit)
        let problem = try #require(error.problem)
        #expect(problem.type == "https://example.com/probs/out-of-credit")
        #expect(problem.title == "You do not have enough credit.")
        #expect(problem.status == 403)
        #expect(problem.detail == "Your current balance is 30, but that costs 50.")
        #expect(problem.instance == "/account/12345/msgs/abc")
        #expect(Set(problem.extensions.keys) == ["balance", "accounts", "is"])
        #expect(problem.extensions["balance"] as? Int == 30)
        #expect(problem.extensions["accounts"] as? [String] == ["/account/12345", "/account/67890"])
        #expect(problem.summary == "You do not have enough credit.: Your current balance is 30, but that costs 50.")
        #expect(error.failureReason == problem.summary)
        #expect(try await self.error(#"{"type": "urn:a"}"#).failureReason == "urn:a")
    }

    @Test(arguments: [
        "application/problem+json", "Application/Problem+JSON", "application/problem+json; charset=utf-8",
        " application/problem+json ;x=\"y\"",
    ])
    func `the media type is compared without case and parameters`(contentType: String) async throws {
        #expect(try await error(Self.outOfCredit, contentType).problem?.status == 403)
    }

    @Test(arguments: [
        "application/json", "application/problem+xml", "text/plain; a=\"application/problem+json\"",
        "application/problem+json2", "application/problem",
    ])
    func `another media type has no details`(contentType: String) async throws {
        let error = try await error(Self.outOfCredit, contentType)
        #expect(error.problem == nil)
        #expect(error.failureReason?.hasPrefix("You do not have") != true)
    }

    @Test(
        arguments: [
            (#"{}"#, "about:blank", nil), (#"{"type": 1, "title": [], "status": "403"}"#, "about:blank", nil),
            (#"{"type": null, "status": null}"#, "about:blank", nil), (#"{"status": true}"#, "about:blank", nil),
            (#"{"status": 403.5}"#, "about:blank", nil), (#"{"status": 1e400}"#, "about:blank", nil),
            (#"{"status": 99999999999999999999}"#, "about:blank", nil), (#"{"status": 404.0}"#, "about:blank", 404),
            (#"{"type": "", "status": -1}"#, "", -1), (#"{"type": {"a": 1}, "status": 500}"#, "about:blank", 500),
        ] as [(String, String, Int?)]
    )
    func `members of a wrong type are ignored`(body: String, type: String, status: Int?) async throws {
        let problem = try #require(try await error(body).problem)
        #expect(problem.type == type)
        #expect(problem.status == status)
        #expect(problem.title == nil && problem.detail == nil && problem.instance == nil)
        #expect(problem.extensions.isEmpty)
    }

    static let otherBodies = [
        "", "text", "[]", "1", "null", "\"a\"", "{\"a\":", "[{\"title\": \"a\"}]", "\u{0}",
        String(repeating: "{\"a\":", count: 10_000) + "1" + String(repeating: "}", count: 10_000),
    ]

    @Test(arguments: brief(otherBodies))
    func `a body that is not an object has no details`(_ argument: Brief<String>) async throws {
        let body = argument.value
        let error = try await error(body)
        #expect(error.problem == nil)
        // JSON that cannot be read may hold secrets.
        #expect(error.failureReason == (["", "\u{0}"].contains(body) || body.hasPrefix("{") ? nil : body))
        #expect(error.responseStatus == 403)
    }

    @Test func `secrets and line breaks are not shown`() async throws {
        let error = try await error(##"{"title": "a\nb\u001B[1m", "detail": "password=hunter22222"}"##)
        for text in [error.problem?.summary, error.failureReason, error.debugDescription] {
            let text = try #require(text)
            #expect(!text.contains("hunter22222") && !text.contains("\n") && !text.contains("\u{1B}"))
            #expect(text.contains("password=<redacted>"))
        }
        let long = try await self.error("{\"title\": \"\(String(repeating: "x", count: 100_000))\"}")
        #expect(long.problem?.title?.count == 100_000)
        #expect(long.failureReason?.count == 500)
    }

    // MARK: - Secrets

    @Test func `a description shows no credential of the call`() async throws {
        let mock = MockTeapot(strictIn: .module)
        let filler = String(repeating: "x", count: 495)
        let body = #"{"title": "Bearer hush-hush-token is unknown", "detail": "\#(filler) hush-hush-token"}"#
        let answer = MockResponse.data(
            Data(body.utf8),
            contentType: "application/problem+json",
            status: .forbidden
        )
        try mock.overrideEndPoint("msgs", with: answer)
        mock.plugins = [Credential.bearer("hush-hush-token")]
        let error = try #require(await thrown { () throws(TeapotError) in try await mock.get("msgs") })
        let problem = try #require(error.problem)
        #expect(problem.title == "Bearer hush-hush-token is unknown")
        #expect(problem.summary.hasPrefix("<redacted> is unknown: xxx"))
        #expect(problem.summary.count == 500)
        var dumped = ""
        dump(problem, to: &dumped)
        dump(error, to: &dumped)
        dump([error], to: &dumped)
        #expect(dumped.contains("<redacted> is unknown"))
        for text in [dumped, "\(problem)", "\(error)", error.failureReason ?? ""] { #expect(!text.contains("hush")) }
    }
}
