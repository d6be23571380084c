import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Credentials that depend on what a server asks for, whatever answers.
@Suite(.inTurn)
struct ChallengeContractTests {
    private func teapot(_ backend: Backend) throws -> (Teapot, WatchingPlugin) {
        let teapot = try backend.teapot()
        if let mock = teapot as? MockTeapot {
            for user in ["ann", "bob"] {
                let value = mock.basicAuthenticationValue(username: user, password: "tea")
                for (path, status) in [("basic-auth", 401), ("hidden-basic-auth", 404)] {
                    let challenge = ["WWW-Authenticate": #"Basic realm="Fake Realm""#]
                    try mock.overrideEndPoint("\(path)/\(user)/tea") { request in
                        if request.headerFields["Authorization"] == value { return try .json(["user": user]) }
                        return .status(.init(rawValue: status), headerFields: status == 401 ? challenge : [:])
                    }
                }
            }
        }
        let plugin = WatchingPlugin()
        teapot.plugins = [plugin]
        return (teapot, plugin)
    }

    @Test(arguments: Backend.available)
    func `a refresh sees the challenge, and each scope has its credential`(_ backend: Backend) async throws {
        let (teapot, plugin) = try teapot(backend)
        let seen = Locked<[String]>([])
        var authenticator = Authenticator { refresh in
            let challenge = refresh.challenges.first
            let realm = "\(challenge?.scheme ?? "") \(challenge?.parameters["realm"] ?? "")"
            let (url, stale) = (refresh.request.url?.path() ?? "", refresh.stale == nil ? "none" : "stale")
            seen.withLock { $0.append("\(refresh.scope) \(refresh.response?.status ?? 0) \(realm) \(url) \(stale)") }
            #expect("\(refresh)" == "Refresh(request: \"GET \(url): 401\")")
            return .basic(username: refresh.scope, password: "tea")
        }
        authenticator.isPreemptive = false
        authenticator.scope = { $0.url?.pathComponents.dropLast().last ?? "" }
        teapot.authenticator = authenticator
        for user in ["ann", "bob", "ann"] {
            let user = try await teapot.get("basic-auth/\(user)/tea").json?.dictionary?["user"] as? String
            #expect(user != nil)
        }
        #expect(
            seen.withLock { $0 } == ["ann", "bob"].map { "\($0) 401 basic Fake Realm /basic-auth/\($0)/tea none" }
        )
        // The third one had a credential at once.
        #expect(plugin.all.count { $0.hasPrefix("willSend") } == 5)
    }

    @Test(arguments: Backend.available)
    func `a status can be named as a rejection`(_ backend: Backend) async throws {
        let (teapot, plugin) = try teapot(backend)
        teapot.authenticator = Authenticator(.bearer("old")) { refresh in
            #expect(refresh.response?.status == 404)
            #expect(refresh.stale == .bearer("old"))
            #expect(refresh.request.value(forHTTPHeaderField: "Authorization") == nil)
            return .basic(username: "bob", password: "tea")
        }
        teapot.authenticator?.rejectedStatuses = [404]
        #expect(try await teapot.get("hidden-basic-auth/bob/tea").status == 200)
        teapot.authenticator = Authenticator(.bearer("old")) { _ in .bearer("new") }
        teapot.authenticator?.rejectedStatuses = [404]
        let error = await thrown { () throws(TeapotError) in try await teapot.get("basic-auth/bob/tea") }
        #expect(error?.responseStatus == 401)
        #expect(plugin.all.count { $0.hasPrefix("willSend") } == 3)
    }
}
