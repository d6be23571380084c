import Foundation
import Teapot
import TeapotMock
import TestTraits
import Testing

/// Runs what the page on migrating shows. `SamplesMigratingXCTest` is the test of its client.
@Suite(.inTurn)
struct SamplesRunMigratingTests {
    private let mock = MockTeapot(bundle: .module, mockFilename: "account")

    private func client() throws -> AccountClient {
        let client = AccountClient(baseURL: try #require(URL(string: "https://api.example.com")))
        client.teapot = mock
        return client
    }

    @Test func asksForTheName() async throws {
        #expect(try await client().name() == "Ada")
    }

    @Test func hasAClosureForFailures() async throws {
        let client = try client()
        client.teapot = MockTeapot(bundle: .module, mockFilename: "", statusCode: .unauthorized)
        let status = await withCheckedContinuation { continuation in
            client.name { _, error in continuation.resume(returning: error?.responseStatus) }
        }
        #expect(status == 401)
    }

    @Test func sendsTheJSONOfAResult() async throws {
        let client = try client()
        let isSuccess = await withCheckedContinuation { continuation in
            client.copy { result in
                guard case .success = result else { return continuation.resume(returning: false) }
                continuation.resume(returning: true)
            }
        }
        #expect(isSuccess)
        #expect(mock.requests.map(\.method) == [.get, .post])
        #expect(mock.requests.last?.body == Data(#"{"name":"Ada"}"#.utf8))
    }

    @Test func sendsAForm() {
        MigratingSamples.form(mock) { _ in }
        #expect(mock.requests.first?.headerFields["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(mock.requests.first?.body == Data("user=ada&word=tea".utf8))
    }

    @Test func signsTheBytesThatAreSent() {
        MigratingSamples.signed(mock, sign: { String(decoding: $0, as: UTF8.self) }, done: { _ in })
        #expect(mock.requests.first?.body == Data(#"{"amount":12,"currency":"NOK"}"#.utf8))
        #expect(mock.requests.first?.headerFields["X-Signature"] == #"{"amount":12,"currency":"NOK"}"#)
    }
}
