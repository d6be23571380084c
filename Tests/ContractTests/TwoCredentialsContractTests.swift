import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Credentials in two header fields, or two for one field, whatever answers.
@Suite(.inTurn)
struct TwoCredentialsContractTests {
    /// What gives a request its `Authorization`.
    enum Source: CaseIterable { case plugin, changingPlugin, client, baseURL, request }

    private static let session = "X-Transmission-Session-Id"
    private static let basic = "Basic dGVhOnBvdA=="

    /// Gives each request an `Authorization`.
    private func client(_ service: ScriptedService, _ source: Source) -> (Teapot, Teapot.Request) {
        let teapot = service.client()
        var request = Teapot.Request(.post, path: "rpc", body: .form(["method": "session-get"]))
        switch source {
        case .plugin: teapot.plugins = [Credential.basic(username: "tea", password: "pot")]
        case .changingPlugin:
            teapot.plugins = [WatchingPlugin { $0.setValue(Self.basic, forHTTPHeaderField: "Authorization") }]
        case .client: teapot.headerFields = ["authorization": Self.basic]
        case .baseURL:
            var base = URLComponents(url: service.baseURL, resolvingAgainstBaseURL: false)
            base?.user = "tea"
            base?.password = "pot"
            teapot.baseURL = base?.url ?? service.baseURL
        case .request: request.headerFields = ["authorization": Self.basic]
        }
        return (teapot, request)
    }

    @Test(arguments: Backend.scriptable, Source.allCases)
    func `a session in a field of its own goes beside an Authorization`(backend: Backend, source: Source) async throws {
        for isPreemptive in [true, false] {
            let current = Locked("one")
            let service = try ScriptedService(backend) { request in
                guard request.credential == Self.basic else { return ScriptedAnswer(401) }
                let current = current.withLock { $0 }
                return ScriptedAnswer(request.header(Self.session) == current ? 200 : 409, [(Self.session, current)])
            }
            let (teapot, request) = client(service, source)
            let refreshes = Locked(0)
            var authenticator = Authenticator { refresh in
                refreshes.withLock { $0 += 1 }
                let value = refresh.response?.headerFields[Self.session] ?? current.withLock { $0 }
                return Credential(headerField: Self.session, value: value)
            }
            authenticator.rejectedStatuses = [409]
            authenticator.isPreemptive = isPreemptive
            teapot.authenticator = authenticator
            func sessions() -> [String?] { service.requests.map { $0.header(Self.session) } }
            // One that has an `Authorization` of its own does not wait for the first credential.
            let first: [String?] = isPreemptive && source != .request ? ["one"] : [nil, "one"]
            #expect(try await teapot.send(request).status == 200)
            #expect(sessions() == first)
            current.withLock { $0 = "two" }
            #expect(try await teapot.send(request).status == 200)
            #expect(try await teapot.send(request).status == 200)
            #expect(sessions() == first + ["one", "two", "two"])
            #expect(refreshes.withLock { $0 } == 2)
            // A request with a session of its own keeps that.
            let own = request.with { $0.headerFields[Self.session.lowercased()] = "own" }
            let error = await thrown { () throws(TeapotError) in try await teapot.send(own) }
            #expect(error?.responseStatus == 409)
            #expect(sessions().last == "own" && sessions().count == first.count + 4)
            #expect(service.requests.allSatisfy { $0.credential == Self.basic })
            #expect(refreshes.withLock { $0 } == 2)
        }
    }

    @Test(arguments: Backend.scriptable, Source.allCases)
    func `an Authorization is not replaced by a credential for it`(backend: Backend, source: Source) async throws {
        for (isPreemptive, isKnown) in [(true, false), (false, false), (true, true)] {
            let service = try ScriptedService(backend) { ScriptedAnswer($0.credential == "Bearer tea" ? 200 : 401) }
            let (teapot, request) = client(service, source)
            var authenticator = Authenticator(isKnown ? .bearer("tea") : nil) { _ in .bearer("tea") }
            authenticator.isPreemptive = isPreemptive
            teapot.authenticator = authenticator
            let error = await thrown { () throws(TeapotError) in try await teapot.send(request) }
            // The credential that is a plugin leaves the field to the authenticator.
            #expect(error?.responseStatus == (source == .plugin ? nil : 401))
            let sent = service.requests.map(\.credential)
            let expected = isPreemptive ? ["Bearer tea"] : [Self.basic, "Bearer tea"]
            #expect(sent == (source == .plugin ? expected : [Self.basic]))
        }
    }
}
