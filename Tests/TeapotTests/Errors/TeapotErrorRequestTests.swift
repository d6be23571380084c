@testable import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// The request of an error.
@Suite(.inTurn)
struct TeapotErrorRequestTests {
    private func mock(_ answers: [MockResponse], at path: String = "issues/5") throws -> MockTeapot {
        let mock = MockTeapot(strictIn: .main, clock: ImmediateClock())
        if !answers.isEmpty { try mock.overrideEndPoint(path, withSequence: answers) }
        mock.baseURL = try #require(URL(string: "https://issues.example/api"))
        return mock
    }

    @Test func `an error says which request failed, and why`() async throws {
        let mock = try mock([.status(.notFound)])
        let error = await thrown { () throws(TeapotError) in
            try await mock.get("issues/5", query: ["token": "hush"])
        }
        #expect(error?.requestLine == "GET https://issues.example/api/issues/5?token=<redacted>")
        let text = "GET /api/issues/5?token=<redacted>: 404 Not Found"
        #expect(error.map { "\($0)" } == text)
        #expect(error?.debugDescription == text)
        #expect(error?.localizedDescription == LocalizedStrings.text("Teapot:InvalidResponseStatus", ["404"]))
    }

    @Test func `an error says which attempt was the last`() async throws {
        let mock = try mock([.status(.serviceUnavailable), .status(.notFound)])
        mock.retryPolicy = RetryPolicy(maximumAttempts: 3)
        let error = await thrown { () throws(TeapotError) in try await mock.get("issues/5") }
        #expect(error?.debugDescription == "GET /api/issues/5: 404 Not Found (attempt 2 of 3)")
    }

    /// By way of a redirect, the request that failed is the last one.
    @Test func `an error names the request that a redirect led to`() async throws {
        let mock = try mock([.status(302, headerFields: ["Location": "https://other.example/teas"])])
        try mock.overrideEndPoint("teas", with: .status(.gone))
        let error = await thrown { () throws(TeapotError) in try await mock.get("issues/5") }
        #expect(error?.requestLine == "GET https://other.example/teas")
        #expect(error?.debugDescription == "GET /teas: 410 Gone")
    }

    // MARK: - Refreshes

    @Test(arguments: [true, false])
    func `an error of a refresh keeps both requests`(isFirst: Bool) async throws {
        let mock = try mock([.status(.unauthorized)])
        let login = try self.mock([.status(.badRequest)], at: "token")
        mock.authenticator = Authenticator(isFirst ? nil : .bearer("old")) { _ throws(TeapotError) in
            try await login.send(Teapot.Request(.post, path: "token").with { $0.timeoutInterval = .infinity })
            return .bearer("new")
        }
        mock.authenticator?.refreshTimeout = nil
        let error = await thrown { () throws(TeapotError) in
            try await mock.send(Teapot.Request(path: "issues/5").with { $0.timeoutInterval = .infinity })
        }
        #expect(error?.type == .invalidResponseStatus)
        #expect(error?.responseStatus == 400)
        #expect(error?.requestLine == "GET https://issues.example/api/issues/5")
        #expect(
            error?.debugDescription
                == "GET /api/issues/5: while refreshing the credential (POST /api/token): 400 Bad Request"
        )
    }

    @Test func `any error of a refresh says that it was the refresh`() async throws {
        struct NoToken: LocalizedError {
            var errorDescription: String? { "nobody is logged in" }
        }
        let mock = try mock([])
        mock.authenticator = Authenticator { _ in throw NoToken() }
        mock.authenticator?.refreshTimeout = nil
        let error = await thrown { () throws(TeapotError) in
            try await mock.send(Teapot.Request(path: "issues/5").with { $0.timeoutInterval = .infinity })
        }
        #expect(error?.type == .preparationFailed)
        #expect(error?.underlyingError is NoToken)
        #expect(error?.debugDescription.hasPrefix("GET /api/issues/5: while refreshing the credential: ") == true)
    }
}
