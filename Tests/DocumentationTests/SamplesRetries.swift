import Teapot
import TeapotMock

/// The samples of the article "Retries and credentials". `SamplesRunRetriesTests` runs them.
enum RetrySamples {
    struct Token: Decodable, Sendable {
        let access: String
        let expiresIn: Double
    }

    static func overview(_ teapot: Teapot, login: Teapot, accessToken: String) {
        let grant = Teapot.Request.Body(form: ["grant_type": "client_credentials"])
        teapot.retryPolicy = RetryPolicy(maximumAttempts: 4, deadline: .seconds(30))
        teapot.authenticator = Authenticator(.bearer(accessToken)) { _ in
            let token = try await login.post("token", body: grant, as: Token.self)
            return .bearer(token.access, expires: Date(timeIntervalSinceNow: token.expiresIn))
        }
    }

    static func idempotent(_ teapot: Teapot, order: [String: Int]) async throws -> Teapot.Response {
        let key = ["Idempotency-Key": UUID().uuidString]
        let response = try await teapot.post("orders", body: order, headerFields: key)
        return response
    }

    static func virtual() async throws -> (kind: String?, mock: MockTeapot) {
        let clock = TestClock()
        let mock = MockTeapot(strictIn: .module, clock: clock)
        mock.retryPolicy = RetryPolicy()
        try mock.overrideEndPoint(
            "tea",
            withSequence: [
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
            return .bearer(token.access, expires: Date(timeIntervalSinceNow: token.expiresIn))
        }
        teapot.authenticator = authenticator
    }

    static func session(_ teapot: Teapot, query: Teapot.Request.Body) async throws -> Teapot.Response {
        var request = Teapot.Request(.post, path: "rpc", body: query, isIdempotent: true)
        request.retryPolicy = RetryPolicy { error, _, _ in
            error.responseStatus == 409 ? .again(after: .zero) : .byRules
        }
        let response = try await teapot.send(request)
        return response
    }

    struct Key: Decodable, Sendable {
        let id: String
        let secret: String
        let expires: Date
    }

    static func signing(_ teapot: Teapot, keys: Teapot, hmac: @escaping @Sendable (String, Data) -> String) {
        teapot.authenticator = Authenticator { _ in
            let key = try await keys.get("key", as: Key.self)
            return .signing(expires: key.expires) { request, bodyFile in
                let body = try bodyFile.map { try Data(contentsOf: $0) } ?? request.httpBody ?? Data()
                let date = Date().formatted(.iso8601)
                let target = "\(request.httpMethod ?? "") \(request.url?.path() ?? "") \(date)\n"
                let signature = hmac(key.secret, Data(target.utf8) + body)
                request.setValue(date, forHTTPHeaderField: "X-Date")
                request.setValue("HMAC \(key.id):\(signature)", forHTTPHeaderField: "Authorization")
            }
        }
    }
}
