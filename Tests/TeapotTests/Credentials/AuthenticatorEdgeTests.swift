import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

/// Credentials where several things come together.
@Suite(.inTurn)
struct AuthenticatorEdgeTests {
    private let queue = MarkedQueue("delivery")

    private func teapot(_ transport: ManualTransport) throws -> Teapot {
        let url = try #require(URL(string: "http://api.example/v1"))
        return Teapot(baseURL: url, defaultDeliveryQueue: queue.queue, transport: transport)
    }

    private func tokens(_ transport: ManualTransport) -> [String?] {
        transport.hops.map { $0.request.value(forHTTPHeaderField: "Authorization") }
    }

    @Test func `a failed refresh fails all calls with the same credential`() async throws {
        let transport = ManualTransport()
        let teapot = try teapot(transport)
        let issuer = TokenIssuer()
        issuer.error = URLError(.userAuthenticationRequired)
        teapot.authenticator = issuer.authenticator(.bearer("0"))
        let completions = Completions()
        for path in ["a", "b", "c"] { teapot.get(path, timeoutInterval: .infinity, completion: completions.take) }
        for hop in transport.hops {
            // One after the other, long after the refresh of the first has failed.
            let count = completions.count
            hop.answer(401)
            await eventually { completions.count > count }
        }
        #expect(issuer.refreshes == [.bearer("0")])
        #expect(completions.all.map { $0.error?.type } == Array(repeating: .preparationFailed, count: 3))
        #expect(Set(completions.all.map { $0.error?.description }).count == 1)

        issuer.error = nil
        teapot.get("d", timeoutInterval: .infinity, completion: completions.take)
        await eventually { transport.hops.count >= 4 }
        #expect(tokens(transport).last == "Bearer 2")
        #expect(issuer.refreshes == [.bearer("0"), .bearer("0")])
    }

    @Test func `a POST that led to a GET is not sent again, whatever the new credential is`() async throws {
        let transport = ManualTransport { hop in
            if hop.request.httpMethod == "POST" { return hop.answer(303, headers: ["Location": "/v1/order"]) }
            hop.answer(hop.request.value(forHTTPHeaderField: "Authorization") == "Bearer 0" ? 401 : 200)
        }
        let teapot = try teapot(transport)
        // Of its field the caller has one already.
        teapot.authenticator = Authenticator(.bearer("0")) { _ in Credential(headerField: "X-API-Key", value: "1") }
        let request = Teapot.Request(
            .post,
            path: "orders",
            headerFields: ["X-API-Key": "own"],
            timeoutInterval: .infinity
        )
        try await teapot.send(request)
        #expect(transport.hops.map { $0.request.httpMethod } == ["POST", "GET", "GET"])
    }

    @Test func `the reason for a missing credential is redacted by the policy of the Teapot`() async throws {
        let teapot = try teapot(ManualTransport())
        teapot.secretPolicy = .standard.adding(["pin"])
        let issuer = TokenIssuer()
        issuer.error = URLError(.userAuthenticationRequired, userInfo: [NSLocalizedDescriptionKey: "wrong pin=98765"])
        teapot.authenticator = issuer.authenticator()
        let log = Locked("")
        teapot.logger = Logger(level: .error) { line in log.withLock { $0 += line } }
        let error = await thrown { () throws(TeapotError) in try await teapot.get("a", timeoutInterval: .infinity) }
        #expect(error?.type == .preparationFailed)
        #expect(error?.description.contains("pin=<redacted>") == true)
        #expect(!log.withLock { $0 }.contains("98765"))
    }

    @Test func `a plugin that changes the origin drops the credential`() async throws {
        let transport = ManualTransport { $0.answer(401) }
        let teapot = try teapot(transport)
        let issuer = TokenIssuer()
        teapot.authenticator = issuer.authenticator(.bearer("0"))
        teapot.plugins = [WatchingPlugin(prepare: { $0.url = URL(string: "http://other.example/") })]
        let error = await thrown { () throws(TeapotError) in try await teapot.get("a", timeoutInterval: .infinity) }
        #expect(error?.responseStatus == 401)
        #expect(tokens(transport) == [nil])
        #expect(issuer.refreshes.isEmpty)
    }

    @Test(arguments: [(#"{"a": 1}"#, "application/json"), ("tea", "application/octet-stream")])
    func `a plugin's body has a content type`(body: String, type: String) async throws {
        let transport = ManualTransport { $0.answer(200) }
        let teapot = try teapot(transport)
        teapot.plugins = [WatchingPlugin(prepare: { $0.httpBody = Data(body.utf8) })]
        try await teapot.post("a", timeoutInterval: .infinity)
        #expect(transport.hops.map { $0.request.value(forHTTPHeaderField: "Content-Type") } == [type])
    }
}
