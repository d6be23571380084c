import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Plugins and an authenticator, whatever answers.
@Suite(.inTurn)
struct PluginContractTests {
    /// A client that answers a `GET` of `bearer` with 401 unless it has a token, and any other with 200.
    private func teapot(_ backend: Backend) throws -> Teapot {
        guard backend == .mock else { return try backend.teapot() }
        let mock = MockTeapot(bundle: .module)
        try mock.overrideEndPoint("bearer") { request in
            guard let value = request.headerFields["Authorization"] else { return .status(401) }
            return try .json(["authenticated": true, "token": String(value.dropFirst(7))])
        }
        return mock
    }

    @Test(arguments: Backend.available)
    func `plugins see a closure call and an async call alike`(backend: Backend) async throws {
        let teapot = try teapot(backend)
        let plugin = WatchingPlugin { $0.setValue("Bearer 1", forHTTPHeaderField: "Authorization") }
        teapot.plugins = [plugin]
        try await teapot.get("bearer", timeoutInterval: .infinity)
        let count = plugin.all.count
        #expect(plugin.all == ["prepare GET /bearer", "willSend GET /bearer", "didReceive 200 GET /bearer"])
        #expect(await result { teapot.get("bearer", timeoutInterval: .infinity, completion: $0) }.text("token") == "1")
        #expect(Array(plugin.all.suffix(count)) == Array(plugin.all.prefix(count)))
        #expect(plugin.problems.isEmpty)
    }

    /// A credential that the server does not look at is as good as none.
    @Test(arguments: Backend.available)
    func `a 401 leads to a refresh, and to the same request once more`(backend: Backend) async throws {
        let teapot = try teapot(backend)
        let plugin = WatchingPlugin()
        teapot.plugins = [plugin]
        teapot.authenticator = Authenticator(Credential(headerField: "X-Api-Key", value: "0")) { _ in .bearer("1") }
        let response = try await teapot.get("bearer", timeoutInterval: .infinity)
        #expect(response.json?.dictionary?["token"] as? String == "1")
        #expect(plugin.all.filter { $0.hasPrefix("didReceive") }.map { $0.dropFirst(11).prefix(3) } == ["401", "200"])
        #expect(plugin.problems.isEmpty)
    }
}
