internal import Foundation
internal import Teapot
internal import TestSupport
internal import TestTraits
internal import Testing

/// A header field that holds a credential is a secret, whatever its name.
@Suite(.timeLimit(.minutes(10)), .inTurn)
struct CredentialSecretTests {
    private static let credential = Credential(headerField: "X-Tenant", value: "s3cret")

    /// As a plugin, as what an authenticator begins with, and as what it gets.
    private static let settings: [@Sendable (Teapot) -> Void] = [
        { $0.plugins = [credential] + $0.plugins },
        { $0.authenticator = Authenticator(credential) { _ in credential } },
        { $0.authenticator = Authenticator { _ in credential } },
    ]

    /// A Teapot whose first answer is a redirect, and all that it writes.
    private func teapot(to location: String) throws -> (Teapot, ManualTransport, Locked<String>) {
        let transport = ManualTransport { hop in
            let isFirst = hop.request.url?.path == "/first"
            hop.answer(isFirst ? 302 : 200, headers: isFirst ? ["Location": location] : ["X-Tenant": "s3cret"])
        }
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: transport)
        let text = Locked("")
        teapot.logger = Logger(level: .incomingAndOutgoingData) { line in text.withLock { $0 += line + "\n" } }
        teapot.plugins = [CurlPrinter { line in text.withLock { $0 += line + "\n" } }]
        return (teapot, transport, text)
    }

    @Test(arguments: settings.indices) func `is shown nowhere`(setting: Int) async throws {
        let (teapot, transport, text) = try teapot(to: "/second")
        Self.settings[setting](teapot)
        try await teapot.get("first", timeoutInterval: .infinity)
        #expect(transport.hops.map { $0.request.value(forHTTPHeaderField: "X-Tenant") } == ["s3cret", "s3cret"])
        let written = text.withLock { $0 }
        #expect(written.contains("X-Tenant: <redacted>"))
        #expect(!written.contains("s3cret"))
    }

    @Test(arguments: settings.indices) func `stays behind on a redirect`(setting: Int) async throws {
        let (teapot, transport, _) = try teapot(to: "http://other.example/second")
        Self.settings[setting](teapot)
        try await teapot.get("first", timeoutInterval: .infinity)
        #expect(transport.hops.map { $0.request.value(forHTTPHeaderField: "X-Tenant") } == ["s3cret", nil])
    }

    @Test(arguments: settings.indices) func `is shown when the policy is off`(setting: Int) async throws {
        let (teapot, _, text) = try teapot(to: "/second")
        teapot.secretPolicy = .off
        Self.settings[setting](teapot)
        try await teapot.get("first", timeoutInterval: .infinity)
        #expect(text.withLock { $0 }.contains("X-Tenant: s3cret"))
    }
}
