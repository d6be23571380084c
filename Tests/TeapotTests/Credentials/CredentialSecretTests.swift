import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

/// A header field that holds a credential is a secret, whatever its name.
@Suite(.inTurn)
struct CredentialSecretTests {
    /// Sets a credential by another plugin.
    private struct Wrapper: Teapot.Plugin {
        let credential: Credential

        func prepare(_ request: inout URLRequest) throws { try credential.prepare(&request) }
    }

    enum Setting: CaseIterable {
        case plugin, wrappingPlugin, firstOfAuthenticator, refreshOfAuthenticator
    }

    /// The values of each credential that are secret.
    static let known: [(credential: Credential, secrets: [String])] = [
        (Credential(headerField: "X-Odd", value: "s3cret/odd"), ["s3cret/odd", "s3cret%2Fodd", #"s3cret\/odd"#]),
        (.bearer("s3cret-bearer"), ["s3cret-bearer", "Bearer%20s3cret-bearer"]),
        (.basic(username: "ada", password: "s3cret-password"), ["s3cret-password", "YWRhOnMzY3JldC1wYXNzd29yZA=="]),
    ]

    /// In the log, errors, cURL lines and descriptions, whatever the name is under which a server repeats it.
    @Test(arguments: brief(known.indices) { known[$0].secrets[0] }, Setting.allCases)
    func `is recognized everywhere`(row: Brief<Int>, setting: Setting) async throws {
        let (credential, secrets) = Self.known[row.value]
        let echo = secrets.map { #"{"note":"\#($0)","list":["a \#($0) b"]}"# }.joined(separator: "\n")
        let transport = ManualTransport { hop in
            hop.respond(500, headers: ["X-Echo": secrets[0], "Link": "</x?note=\(secrets[0])>"])
            hop.report(.data(Data(echo.utf8)))
            hop.report(.finished(nil))
        }
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: transport)
        let text = Locked("")
        teapot.logger = Logger(level: .incomingAndOutgoingData) { line in text.withLock { $0 += line + "\n" } }
        let printer = CurlPrinter { line in text.withLock { $0 += line + "\n" } }
        switch setting {
        case .plugin: teapot.plugins = [credential, printer]
        case .wrappingPlugin: teapot.plugins = [Wrapper(credential: credential), printer]
        case .firstOfAuthenticator:
            (teapot.authenticator, teapot.plugins) = (Authenticator(credential) { _ in credential }, [printer])
        case .refreshOfAuthenticator:
            (teapot.authenticator, teapot.plugins) = (Authenticator { _ in credential }, [printer])
        }
        let request = Teapot.Request(
            .post,
            path: "notes/\(secrets[1])",
            query: ["q": secrets[0]],
            body: Teapot.Request.Body(Data(echo.utf8))
        ).with { $0.timeoutInterval = .infinity }
        let error = try #require(await thrown { () throws(TeapotError) in try await teapot.send(request) })
        let response = try #require(error.response)
        let written = text.withLock { $0 } + "\(error) \(String(reflecting: error)) \(response.statusCode)"
        #expect(transport.hops.count == 1)
        for secret in secrets { #expect(!written.contains(secret), "\(written)") }
        #expect(written.contains("<redacted>"))
    }

    @Test func `is recognized in a plugin's error`() async throws {
        struct Reason: LocalizedError { var errorDescription: String? { "no luck with s3cret-value" } }
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: ManualTransport())
        let log = Locked("")
        teapot.logger = Logger(level: .error) { line in log.withLock { $0 += line } }
        let wrapper = Wrapper(credential: Credential(headerField: "X-Odd", value: "s3cret-value"))
        teapot.plugins = [wrapper, WatchingPlugin(prepare: { _ in throw Reason() })]
        let error = await thrown { () throws(TeapotError) in
            try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
        }
        #expect(error?.type == .preparationFailed)
        #expect(error?.failureReason == "no luck with <redacted>")
        #expect(error?.description.contains("s3cret") == false)
        #expect(!log.withLock { $0 }.contains("s3cret"))
    }
}
