import Networking
import Teapot
import TeapotMock
import Testing

import struct Teapot.Authenticator
import struct Teapot.Credential
import protocol Teapot.Endpoint
import struct Teapot.RetryPolicy

/// A file that imports another module with types of the same names, and says which ones it means.
struct ChosenNamesTests {
    private struct Ping: Endpoint {
        let request: Teapot.Request = "ping"
    }

    @Test func `the names of both can be used`() async throws {
        let mock = MockTeapot()
        mock.retryPolicy = RetryPolicy(maximumAttempts: 1)
        mock.authenticator = Authenticator(Credential.bearer("hush")) { _ in .bearer("new") }
        try mock.overrideEndPoint("ping", with: .status(.ok))
        try await mock.send(Ping())
        #expect(mock.requests.map { $0.url.path() } == ["/ping"])
        #expect(Networking.Credential.self != Credential.self as Any.Type)
        #expect(Networking.RetryPolicy.self != RetryPolicy.self as Any.Type)
        #expect(Networking.Endpoint.self != (any Endpoint).self as Any.Type)
        #expect((any Networking.Authenticator).self != Authenticator.self as Any.Type)
    }
}
