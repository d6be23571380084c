import Foundation
import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// Many calls at once, with a token that a server does not take any more. They have no timeout: on a busy machine the task of a
/// refresh may wait long for a thread.
@Suite(.inTurn)
struct AuthenticatorServerTests {
    private struct Reason: Error {}

    private static let count = 100

    private let issuer = TokenIssuer(isHeld: true)
    private let server: LoopbackServer
    private let teapot: Teapot
    private let plugin = WatchingPlugin()

    init() throws {
        server = try LoopbackServer { request in
            let isAccepted = request.header("Authorization") == "Bearer 1"
            return isAccepted
                ? nil
                : Script([
                    .waitForRelease,
                    .send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
                ])
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 100
        teapot = Teapot(
            baseURL: server.baseURL,
            defaultDeliveryQueue: DispatchQueue(label: "delivery"),
            configuration: configuration
        )
        teapot.plugins = [plugin]
    }

    /// Makes the calls, half of them with a closure; all are sent with the old token, and the refresh ends when all wait.
    private func outcomes() async -> [TeapotError?] {
        let (teapot, issuer, plugin, server) = (teapot, issuer, plugin, server)
        return await withTaskGroup(of: TeapotError?.self) { group in
            for index in 0..<Self.count {
                group.addTask {
                    let fields = ["X-Call": "\(index)"]
                    if index.isMultiple(of: 2) {
                        return await result {
                            teapot.get("anything", headerFields: fields, timeoutInterval: .infinity, completion: $0)
                        }.error
                    }
                    return await thrown { () throws(TeapotError) in
                        try await teapot.put(
                            "anything",
                            body: ["tea": index],
                            headerFields: fields,
                            timeoutInterval: .infinity
                        )
                    }
                }
            }
            _ = await server.received(Self.count)
            for _ in 0..<Self.count { server.release() }
            await eventually { plugin.all.count(where: { $0.hasPrefix("didReceive 401") }) >= Self.count }
            issuer.release()
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `100 calls at once: one refresh, and all succeed`() async throws {
        teapot.authenticator = issuer.authenticator(.bearer("0"))
        let outcomes = await outcomes()
        #expect(outcomes.allSatisfy { $0 == nil }, "\(outcomes.compactMap(\.self).first.debugDescription)")
        #expect(issuer.refreshes == [.bearer("0")])
        let tokens = server.requests.map { $0.header("Authorization") }
        #expect(tokens.count == 2 * Self.count)
        #expect(tokens.prefix(Self.count).allSatisfy { $0 == "Bearer 0" })
        #expect(tokens.suffix(Self.count).allSatisfy { $0 == "Bearer 1" })
        #expect(plugin.problems.isEmpty)
        #expect(server.requests.count { $0.method == "PUT" && !$0.body.isEmpty } == Self.count)
    }

    @Test(arguments: [true, false])
    func `100 calls at once: a refresh that fails, and equal errors`(isOwn: Bool) async throws {
        teapot.authenticator = issuer.authenticator(.bearer("0"))
        let own = TeapotError(type: .noResponse, description: "own", responseStatus: 418)
        issuer.error = isOwn ? own : Reason()
        let outcomes = await outcomes()
        let errors = outcomes.compactMap(\.self)
        #expect(errors.count == Self.count)
        let first = try #require(errors.first)
        #expect(errors.allSatisfy { $0 == first })
        #expect(first.type == (isOwn ? .noResponse : .preparationFailed))
        #expect(isOwn ? first == own : errors.allSatisfy { $0.underlyingError is Reason })
        #expect(errors.allSatisfy { $0.attempts == 1 })
        #expect(issuer.refreshes.count == 1)
        #expect(server.requests.count == Self.count)
        #expect(plugin.problems.isEmpty)
    }

    @Test func `100 calls at once without a credential: one refresh, and nothing is sent before`() async throws {
        let (teapot, issuer) = (teapot, issuer)
        teapot.authenticator = issuer.authenticator()
        issuer.release()
        await withTaskGroup(of: TeapotError?.self) { group in
            for index in 0..<Self.count {
                group.addTask {
                    await thrown { () throws(TeapotError) in
                        try await teapot.get(
                            "anything",
                            headerFields: ["X-Call": "\(index)"],
                            timeoutInterval: .infinity
                        )
                    }
                }
            }
            for await error in group { #expect(error == nil) }
        }
        #expect(issuer.refreshes == [nil])
        #expect(server.requests.allSatisfy { $0.header("Authorization") == "Bearer 1" })
    }

    /// The server takes each token for a while only: no call is forgotten, and a token is not refreshed for each of them.
    @Test func `tokens that go stale again and again`() async throws {
        let accepted = Locked(0)
        let transport = AnsweringTransport { request in
            let token = "Bearer \(accepted.withLock { $0 })"
            return (request.value(forHTTPHeaderField: "Authorization") == token ? 200 : 401, [:])
        }
        let teapot = Teapot(
            baseURL: server.baseURL,
            defaultDeliveryQueue: DispatchQueue(label: "delivery"),
            transport: transport
        )
        let refreshes = Locked(0)
        teapot.authenticator = Authenticator(.bearer("0")) { _ in
            refreshes.withLock { $0 += 1 }
            return .bearer("\(accepted.withLock { $0 })")
        }
        teapot.plugins = [plugin]
        let statuses = await withTaskGroup(of: Int.self) { group in
            for index in 0..<3_000 {
                if index >= 32 { _ = await group.next() }
                if index.isMultiple(of: 150) { accepted.withLock { $0 += 1 } }
                group.addTask {
                    let error = await thrown { () throws(TeapotError) in
                        try await teapot.get("a", headerFields: ["X-Call": "\(index)"], timeoutInterval: .infinity)
                    }
                    return error?.responseStatus ?? (error == nil ? 200 : 0)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // A token that is replaced twice while a call is under way leaves it with a 401.
        #expect(statuses.allSatisfy { [200, 401].contains($0) })
        #expect((1...60).contains(refreshes.withLock { $0 }))
        #expect(plugin.problems.isEmpty)
    }
}
