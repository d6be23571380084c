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

    /// The user information of a base URL, of the client or of the request, and what a server may repeat of it.
    static let baseURLs: [(url: String, echoes: [String])] = [
        (
            "http://ada:s3cret%2Fpass@api.example",
            ["YWRhOnMzY3JldC9wYXNz", "s3cret/pass", "s3cret%2Fpass", #"s3cret\/pass"#, "ada:s3cret/pass"]
        ),
        // Without a password, the user is the secret.
        ("http://s3cret-key@api.example", ["czNjcmV0LWtleTo", "s3cret-key"]),
        ("http://:s3cret-key@api.example", ["OnMzY3JldC1rZXk", "s3cret-key"]),
    ]

    @Test(arguments: brief(baseURLs.indices) { baseURLs[$0].url }, [false, true])
    func `is recognized if it is in the base URL`(row: Brief<Int>, isOfRequest: Bool) async throws {
        let (text, echoes) = Self.baseURLs[row.value]
        let url = try #require(URL(string: text))
        let transport = ManualTransport { hop in
            let status = hop.request.url?.lastPathComponent == "lines" ? 200 : 500
            hop.respond(status, headers: ["X-Echo": echoes[0], "Content-Type": "text/plain"])
            hop.report(.data(Data(echoes.joined(separator: " ").utf8)))
            hop.report(.finished(nil))
        }
        let other = try #require(URL(string: "http://other.example"))
        let teapot = Teapot(baseURL: isOfRequest ? other : url, transport: transport)
        let written = Locked("")
        teapot.logger = Logger(level: .incomingAndOutgoingData) { line in written.withLock { $0 += line + "\n" } }
        teapot.plugins = [CurlPrinter { line in written.withLock { $0 += line + "\n" } }]
        var request = Teapot.Request(path: "notes").with { $0.timeoutInterval = .infinity }
        if isOfRequest { request.baseURL = url }
        let error = try #require(await thrown { () throws(TeapotError) in try await teapot.send(request) })
        request.path = "lines"
        let bytes = try await teapot.bytes(request)
        let failed = await thrown { () throws(TeapotError) in for try await _ in bytes.lines(as: Int.self) {} }
        let texts = ["\(error)", error.failureReason ?? "", "\(bytes.headerFields)", "\(failed as Any)"]
        let all = texts.joined(separator: "\n") + written.withLock { $0 }
        for echo in echoes { #expect(!all.contains(echo), "\(all)") }
        #expect(texts.allSatisfy { $0.contains("<redacted>") || $0.contains("line 1") }, "\(texts)")
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
