import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

/// Calls that wait for a credential.
@Suite(.inTurn)
struct AuthenticatorWaitTests {
    private let queue = MarkedQueue("delivery")
    private let issuer = TokenIssuer(isHeld: true)
    private let transport = ManualTransport { hop in
        hop.answer(hop.request.value(forHTTPHeaderField: "Authorization") == "Bearer 1" ? 200 : 401)
    }
    private let baseURL: URL
    private let teapot: Teapot

    init() throws {
        baseURL = try #require(URL(string: "http://api.example/v1"))
        teapot = Teapot(baseURL: baseURL, defaultDeliveryQueue: queue.queue, transport: transport)
        teapot.authenticator = issuer.authenticator(.bearer("0"))
    }

    private var tokens: [String?] { transport.hops.map { $0.request.value(forHTTPHeaderField: "Authorization") } }

    /// Closure calls whose ends a test may wait for.
    private struct Calls {
        private let stream: AsyncStream<CallResult>
        private let continuation: AsyncStream<CallResult>.Continuation

        init() {
            (stream, continuation) = AsyncStream.makeStream()
        }

        func begin(_ path: String, _ teapot: Teapot) throws -> URLSessionTask {
            let continuation = continuation
            return try #require(
                teapot.get(path, timeoutInterval: .infinity) { (result: NetworkResult) in
                    continuation.yield(CallResult(result))
                }
            )
        }

        func next() async -> CallResult? {
            var iterator = stream.makeAsyncIterator()
            return await iterator.next()
        }
    }

    @Test func `a call that begins during a refresh waits for it`() async throws {
        let calls = Calls()
        _ = try calls.begin("a", teapot)
        await issuer.begun.wait()
        for path in ["b", "c"] { _ = try calls.begin(path, teapot) }
        #expect(tokens == ["Bearer 0"])
        issuer.release()
        for _ in 0..<3 { #expect(await calls.next()?.isSuccess == true) }
        #expect(tokens == ["Bearer 0", "Bearer 1", "Bearer 1", "Bearer 1"])
        // In the order in which they came.
        #expect(transport.hops.map { $0.request.url?.lastPathComponent } == ["a", "a", "b", "c"])
        #expect(issuer.refreshes.count == 1)
    }

    // MARK: - Cancelling

    @Test func `a closure call that is cancelled ends alone, even the one that began the refresh`() async throws {
        let calls = Calls()
        let first = try calls.begin("a", teapot)
        await issuer.begun.wait()
        let second = try calls.begin("b", teapot)
        _ = try calls.begin("c", teapot)
        first.cancel()
        second.cancel()
        #expect(first.state == .completed)
        issuer.release()
        #expect(await calls.next()?.response.url?.lastPathComponent == "c")
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
            await thrown { () throws(TeapotError) in try await teapot.get("a", timeoutInterval: .infinity) }
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
        let calls = Calls()
        let task = try calls.begin("a", teapot)
        await issuer.begun.wait()
        task.suspend()
        _ = try calls.begin("b", teapot)
        issuer.release()
        #expect(await calls.next()?.response.url?.lastPathComponent == "b")
        #expect(tokens == ["Bearer 0", "Bearer 1"])
        task.resume()
        #expect(await calls.next()?.response.url?.lastPathComponent == "a")
        #expect(tokens == ["Bearer 0", "Bearer 1", "Bearer 1"])
    }

    /// A slow plugin gives other calls the time to find out.
    @Test func `a credential that goes stale while plugins prepare is not sent`() async throws {
        let inner = Locked<(@Sendable () -> Void)?>(nil)
        let accepted = Locked("Bearer 1")
        let transport = ManualTransport { hop in
            hop.answer(hop.request.value(forHTTPHeaderField: "Authorization") == accepted.withLock { $0 } ? 200 : 401)
        }
        let teapot = Teapot(baseURL: baseURL, defaultDeliveryQueue: queue.queue, transport: transport)
        issuer.release()
        teapot.authenticator = issuer.authenticator(.bearer("0"))
        let plugin = WatchingPlugin { request in
            guard request.url?.lastPathComponent == "a" else { return }
            let action = inner.withLock { inner in
                defer { inner = nil }
                return inner
            }
            action?()
        }
        teapot.plugins = [plugin]
        let hasEnded = Signal()
        inner.withLock { inner in
            // It is sent and rejected before this returns.
            inner = { teapot.get("b", timeoutInterval: .infinity) { (_: NetworkResult) in hasEnded.fire() } }
        }
        try await teapot.get("a", timeoutInterval: .infinity)
        // It got the new credential on another thread, and may end later.
        await hasEnded.wait()
        let sent = transport.hops.compactMap { hop in
            hop.request.url?.lastPathComponent == "a" ? hop.request.value(forHTTPHeaderField: "Authorization") : nil
        }
        #expect(sent == ["Bearer 1"])
        #expect(plugin.problems.isEmpty)
    }

    @Test func `a redirect waits for a credential, too`() async throws {
        let transport = ManualTransport()
        let teapot = Teapot(baseURL: baseURL, defaultDeliveryQueue: queue.queue, transport: transport)
        teapot.authenticator = issuer.authenticator(.bearer("0"))
        let calls = Calls()
        _ = try calls.begin("a", teapot)
        let other = try calls.begin("other", teapot)
        transport.hops.last?.answer(401)
        await issuer.begun.wait()
        other.cancel()
        transport.hops.first?.answer(302, headers: ["Location": "b"])
        #expect(transport.hops.count == 2)
        issuer.release()
        async let last = teapot.get("last", timeoutInterval: .infinity)
        await eventually { transport.hops.count >= 4 }
        let hops = transport.hops.dropFirst(2)
        #expect(hops.allSatisfy { $0.request.value(forHTTPHeaderField: "Authorization") == "Bearer 1" })
        #expect(Set(hops.map(\.request.url?.lastPathComponent)) == ["b", "last"])
        for hop in hops { hop.answer(200) }
        _ = try await last
        #expect(await calls.next()?.isSuccess == true)
    }

    // MARK: - Memory

    private final class Token: Sendable {}

    @Test func `the Teapot may be released while a call waits`() async throws {
        let calls = Calls()
        weak var gone: Teapot?
        do {
            let teapot = Teapot(baseURL: baseURL, defaultDeliveryQueue: queue.queue, transport: transport)
            teapot.authenticator = issuer.authenticator(.bearer("0"))
            gone = teapot
            _ = try calls.begin("a", teapot)
        }
        #expect(gone == nil)
        await issuer.begun.wait()
        issuer.release()
        #expect(await calls.next()?.isSuccess == true)
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
