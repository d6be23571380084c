import Foundation
@testable import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Calls that wait for a credential.
@Suite(.inTurn)
struct AuthenticatorWaitTests {
    private let queue = MarkedQueue("delivery")
    private let issuer = TokenIssuer(isHeld: true)
    private let completions = Completions()
    private let clock = TestClock()
    private let transport = ManualTransport { hop in
        hop.answer(hop.request.value(forHTTPHeaderField: "Authorization") == "Bearer 1" ? 200 : 401)
    }
    private let baseURL: URL
    private let teapot: Teapot

    init() throws {
        baseURL = try #require(URL(string: "http://api.example/v1"))
        teapot = Teapot(baseURL: baseURL, defaultDeliveryQueue: queue.queue, transport: transport, clock: clock)
        teapot.authenticator = issuer.authenticator(.bearer("0"))
    }

    private var tokens: [String?] { transport.hops.map { $0.request.value(forHTTPHeaderField: "Authorization") } }

    @discardableResult
    private func begin(_ path: String, _ teapot: Teapot? = nil) throws -> URLSessionTask {
        let task = (teapot ?? self.teapot).get(path, timeoutInterval: .infinity, completion: completions.take)
        return try #require(task)
    }

    private struct Reason: Error {}

    /// The error of a call with a timeout in seconds.
    private func error(_ timeout: TimeInterval = 15) async -> TeapotError? {
        await thrown { () throws(TeapotError) in
            try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = timeout })
        }
    }

    @Test(arguments: [true, false])
    func `100 calls at once: one refresh, and equal outcomes`(succeeds: Bool) async throws {
        if !succeeds { issuer.error = Reason() }
        let errors = await withTaskGroup(of: TeapotError?.self) { group in
            for _ in 0..<100 { group.addTask { await error() } }
            // Each that waits has a timeout.
            await clock.waits(100)
            issuer.release()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors.count == 100)
        #expect(errors.allSatisfy { $0 == errors.first })
        #expect(errors.allSatisfy { $0?.type == (succeeds ? nil : .preparationFailed) })
        #expect(issuer.refreshes == [.bearer("0")])
        let first = tokens.count { $0 == "Bearer 0" }
        // Those that began after the first 401 waited, and sent nothing.
        #expect((1...100).contains(first))
        #expect(tokens.count { $0 == "Bearer 1" } == (succeeds ? 100 : 0))
        #expect(tokens.prefix(first).allSatisfy { $0 == "Bearer 0" })
        #expect(clock.waitCount == 0)
    }

    @Test func `only the call that timed out ends`() async throws {
        async let impatient = error(2)
        await clock.waits(1)
        async let patient = error(60)
        await clock.waits(2)
        await clock.advanceToNext()
        #expect(clock.now.offset == .seconds(2))
        let timeout = await impatient
        #expect(timeout?.type == .noResponse)
        #expect(timeout?.code == .timedOut)
        #expect(clock.waitCount == 1)
        issuer.release()
        #expect(await patient == nil)
        #expect(issuer.refreshes.count == 1)
        #expect(clock.waitCount == 0)
    }

    @Test func `a call that begins during a refresh waits for it`() async throws {
        try begin("a")
        await issuer.begun.wait()
        for path in ["b", "c"] { try begin(path) }
        #expect(tokens == ["Bearer 0"])
        issuer.release()
        await eventually { completions.count == 3 }
        #expect(completions.all.map(\.isSuccess) == [true, true, true])
        #expect(tokens == ["Bearer 0", "Bearer 1", "Bearer 1", "Bearer 1"])
        // In the order in which they came.
        #expect(transport.hops.map { $0.request.url?.lastPathComponent } == ["a", "a", "b", "c"])
        #expect(issuer.refreshes.count == 1)
    }

    // MARK: - Cancelling

    @Test func `a closure call that is cancelled ends alone, even the one that began the refresh`() async throws {
        let first = try begin("a")
        await issuer.begun.wait()
        let second = try begin("b")
        try begin("c")
        first.cancel()
        second.cancel()
        #expect(first.state == .completed)
        issuer.release()
        await eventually { completions.count > 0 }
        #expect(completions.all.map(\.response.url?.lastPathComponent) == ["c"])
        await queue.queue.drain()
        #expect(tokens == ["Bearer 0", "Bearer 1"])
        #expect(issuer.refreshes.count == 1)
    }

    @Test func `the refresh is not cancelled with the task that began it`() async throws {
        let isCancelled = Locked<Bool?>(nil)
        let (began, resume, ended) = (Signal(), Signal(), Signal())
        teapot.authenticator = Authenticator { _ in
            began.fire()
            await resume.wait()
            isCancelled.withLock { $0 = Task.isCancelled }
            ended.fire()
            return .bearer("1")
        }
        let teapot = teapot
        let task = Task {
            await thrown { () throws(TeapotError) in
                try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
            }
        }
        await began.wait()
        task.cancel()
        #expect(await task.value?.type == .cancelled)
        resume.fire()
        await ended.wait()
        #expect(isCancelled.withLock { $0 } == false)
    }

    // MARK: - Suspending

    @Test func `a suspended call takes its credential when it is resumed`() async throws {
        let task = try begin("a")
        await issuer.begun.wait()
        task.suspend()
        try begin("b")
        issuer.release()
        await eventually { completions.count > 0 }
        #expect(tokens == ["Bearer 0", "Bearer 1"])
        task.resume()
        await eventually { completions.count == 2 }
        #expect(completions.all.map(\.response.url?.lastPathComponent) == ["b", "a"])
        #expect(tokens == ["Bearer 0", "Bearer 1", "Bearer 1"])
    }

    @Test func `a credential that goes stale while plugins prepare is not sent`() async throws {
        let (teapot, take, hasBegun) = (teapot, completions.take, Locked(false))
        issuer.release()
        teapot.plugins = [
            WatchingPlugin { _ in
                // Another call is sent and rejected before this returns.
                guard !hasBegun.withLock({ $0 }) else { return }
                hasBegun.withLock { $0 = true }
                teapot.get("b", timeoutInterval: .infinity, completion: take)
            }
        ]
        try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
        await eventually { completions.count == 1 }
        let hops = transport.hops.filter { $0.request.url?.lastPathComponent == "a" }
        #expect(hops.map { $0.request.value(forHTTPHeaderField: "Authorization") } == ["Bearer 1"])
        teapot.plugins = []
    }

    // MARK: - Memory

    private final class Token: Sendable {}

    @Test func `the Teapot may be released while a call waits`() async throws {
        weak var gone: Teapot?
        do {
            let teapot = Teapot(baseURL: baseURL, defaultDeliveryQueue: queue.queue, transport: transport)
            teapot.authenticator = issuer.authenticator(.bearer("0"))
            gone = teapot
            try begin("a", teapot)
        }
        #expect(gone == nil)
        await issuer.begun.wait()
        issuer.release()
        await eventually { completions.count == 1 }
        #expect(completions.all.first?.isSuccess == true)
    }

    /// Makes a request, and cancels the task that asks for it.
    private struct Cancelling: Endpoint {
        var request: Teapot.Request {
            withUnsafeCurrentTask { $0?.cancel() }
            return "b"
        }
    }

    @Test func `a call that is cancelled asks for no credential`() async throws {
        let plugin = WatchingPlugin(didReceive: { _, _ in withUnsafeCurrentTask { $0?.cancel() } })
        teapot.plugins = [plugin]
        let (teapot, issuer) = (teapot, issuer)
        // When its credential is rejected, and then before it begins.
        for first in [Credential.bearer("0"), nil] {
            teapot.authenticator = issuer.authenticator(first)
            let error = await Task {
                await thrown { () throws(TeapotError) in
                    if first == nil { try await teapot.send(Cancelling()) } else { try await teapot.get("a") }
                }
            }
            .value
            #expect(error?.type == .cancelled)
            #expect(tokens == ["Bearer 0"])
            #expect(teapot.authenticator?.refreshCount == 0)
        }
        #expect(plugin.problems.isEmpty)
        issuer.release()
    }

    @Test func `a cancelled call is released at once`() async throws {
        weak var gone: Token?
        weak var plugin: WatchingPlugin?
        teapot.authenticator = issuer.authenticator()
        do {
            let (token, own) = (Token(), WatchingPlugin())
            (gone, plugin) = (token, own)
            teapot.plugins = [own]
            let task = try #require(
                teapot.get("a", timeoutInterval: .infinity) { (_: NetworkResult) in _ = token }
            )
            teapot.plugins = []
            await issuer.begun.wait()
            task.cancel()
        }
        #expect(gone == nil)
        // The cancelled call has released its plugins.
        #expect(plugin == nil)
        issuer.release()
    }
}
