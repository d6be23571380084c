import Teapot
import TeapotMock

/// The samples of the article "Retries and credentials". `SamplesRunRetriesTests` runs them.
enum RetrySamples {
    struct Token: Decodable, Sendable {
        let access: String
    }

    static func overview(_ teapot: Teapot, login: Teapot, accessToken: String) {
        let grant = Teapot.Request.Body(form: ["grant_type": "client_credentials"])
        teapot.retryPolicy = RetryPolicy(maximumAttempts: 4, deadline: .seconds(30))
        teapot.authenticator = Authenticator(.bearer(accessToken)) { _ in
            let token = try await login.post("token", body: grant, as: Token.self)
            return .bearer(token.access)
        }
    }

    static func idempotent(_ teapot: Teapot, order: [String: Int]) async throws -> Teapot.Response {
        var request = Teapot.Request(.post, path: "orders", body: Teapot.Request.Body(encoding: order))
        request.headerFields["Idempotency-Key"] = UUID().uuidString
        request.isIdempotent = true
        let response = try await teapot.send(request)
        return response
    }

    static func virtual() async throws -> (kind: String?, mock: MockTeapot) {
        let clock = TestClock()
        let mock = MockTeapot(strictIn: .module, clock: clock)
        mock.retryPolicy = RetryPolicy()
        try mock.overrideEndPoint(
            "tea",
            with: [
                .status(.serviceUnavailable, headerFields: ["Retry-After": "2"]),
                .failure(.networkConnectionLost),
                .json(["kind": "green"]),
            ]
        )
        async let tea = mock.get("tea")
        await clock.advanceToNext()
        await clock.advanceToNext()
        let kind = try await tea.json?.dictionary?["kind"] as? String
        return (kind, mock)
    }

    static func refreshing(_ teapot: Teapot, login: Teapot) {
        let grant = Teapot.Request.Body(form: ["grant_type": "client_credentials"])
        let authenticator = Authenticator { _ in
            let token = try await login.post("token", body: grant, as: Token.self)
            return .bearer(token.access)
        }
        teapot.authenticator = authenticator
    }
}
