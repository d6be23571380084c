import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// A credential that a client uses stands in no recording, and in nothing that a mock says.
@Suite(.inTurn)
struct CredentialRecordingTests {
    private struct Wrapper: Teapot.Plugin {
        let credential: Credential

        func prepare(_ request: inout URLRequest) throws { try credential.prepare(&request) }
    }

    enum Setting: CaseIterable {
        case plugin, wrappingPlugin, firstOfAuthenticator, refreshOfAuthenticator

        func set(_ credential: Credential, of teapot: Teapot) {
            switch self {
            case .plugin: teapot.plugins = [credential]
            case .wrappingPlugin: teapot.plugins = [Wrapper(credential: credential)]
            case .firstOfAuthenticator: teapot.authenticator = Authenticator(credential) { _ in credential }
            case .refreshOfAuthenticator: teapot.authenticator = Authenticator { _ in credential }
            }
        }
    }

    /// One is so short that it is found only in its field.
    @Test(arguments: Setting.allCases, ["s3cret-odd", "odd!"])
    func `is left out of a recording`(setting: Setting, value: String) async throws {
        let credential = Credential(headerField: "X-Odd", value: value)
        let echo = value.utf8.count < 6 ? "none" : value
        let server = ManualTransport { hop in
            guard hop.request.url?.path == "/a" else { return hop.answer(200) }
            hop.answer(200, headers: ["X-Odd": value, "X-Echo": "a \(echo)"], body: #"{"note":"\#(echo)"}"#)
        }
        let folder = try TemporaryFolder()
        for policy in [SecretPolicy.standard, .off] {
            let recording = RecordingTransport(wrapping: server, secretPolicy: policy)
            let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: recording)
            setting.set(credential, of: teapot)
            try await teapot.send(Teapot.Request(path: "a?q=s3cret%2Dodd").with { $0.timeoutInterval = .infinity })
            teapot.plugins = []
            teapot.authenticator = nil
            try await teapot.send(
                Teapot.Request(path: "b", headerFields: ["X-Odd": "plain"]).with { $0.timeoutInterval = .infinity }
            )
            try recording.write(to: folder.file("a.har"))
            let text = try #require(folder.text("a.har"))
            #expect(text.contains(value) == (policy == .off))
            #expect(text.contains("s3cret") == (policy == .off || echo == "none"))
            #expect(text.contains("plain"))
        }
    }

    @Test(arguments: Setting.allCases) func `is left out of what a mock says`(setting: Setting) async throws {
        let credential = Credential(headerField: "X-Odd", value: "s3cret-odd")
        let mock = MockTeapot(strictIn: .module)
        mock.setExpectedHeaders(["X-Odd": "other"])
        setting.set(credential, of: mock)
        for isStrict in [false, true] {
            mock.isStrict = isStrict
            let error = await thrown { () throws(TeapotError) in
                try await mock.send(Teapot.Request(path: "a/s3cret-odd").with { $0.timeoutInterval = .infinity })
            }
            #expect(error?.type == (isStrict ? .unexpectedRequest : .incorrectHeaders))
            #expect(error?.description.contains("s3cret") == false)
            #expect(error?.failureReason?.contains("s3cret") != true)
        }
        #expect(mock.findings.allSatisfy { !"\($0)".contains("s3cret") })
    }
}
