import Foundation
import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// What ends by a cancellation is `cancelled`, whoever cancelled it, and whatever answers.
@Suite(.inTurn)
struct CancellationContractTests {
    // MARK: - While the value is made

    /// A value whose decoding takes so long that its task is cancelled meanwhile. In a sequence that is iterated once more, the task
    /// is cancelled already.
    private struct Slow: Decodable, Sendable {
        init(from decoder: any Decoder) throws {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try decoder.singleValueContainer().decode([Int].self)
        }
    }

    /// A value that nobody waits for any more.
    private struct Unwanted: Decodable, Sendable {
        init(from decoder: any Decoder) throws { Issue.record("it is decoded") }
    }

    private struct GetSlow: Endpoint {
        typealias Response = Slow
        var request: Teapot.Request { "tea" }
    }

    private struct ParseSlowly: Endpoint {
        var request: Teapot.Request { "tea" }
        func parse(_ response: Teapot.Response) throws -> Int {
            withUnsafeCurrentTask { $0?.cancel() }
            return response.status
        }
    }

    private struct ParseAndCheck: Endpoint {
        var request: Teapot.Request { "tea" }
        func parse(_ response: Teapot.Response) throws -> Int {
            withUnsafeCurrentTask { $0?.cancel() }
            try Task.checkCancellation()
            return response.status
        }
    }

    /// Passes requests on, and cancels the task before it returns the response.
    private struct Cancelling: RequestPerforming {
        let teapot: Teapot

        func send(_ request: Teapot.Request) async throws(TeapotError) -> Teapot.Response {
            let response = try await teapot.send(request)
            withUnsafeCurrentTask { $0?.cancel() }
            return response
        }
    }

    private typealias Call = @Sendable (Teapot) async throws(TeapotError) -> Void

    /// Calls that make a value of `[1]`.
    private static let calls: [(name: String, Call)] = [
        ("get", { (teapot) throws(TeapotError) in _ = try await teapot.get("tea", as: Slow.self) }),
        ("get an optional", { (teapot) throws(TeapotError) in _ = try await teapot.get("tea", as: Slow?.self) }),
        ("send", { (teapot) throws(TeapotError) in _ = try await teapot.send("tea", as: Slow.self) }),
        ("endpoint", { (teapot) throws(TeapotError) in _ = try await teapot.send(GetSlow()) }),
        ("parse", { (teapot) throws(TeapotError) in _ = try await teapot.send(ParseSlowly()) }),
        ("parse and check", { (teapot) throws(TeapotError) in _ = try await teapot.send(ParseAndCheck()) }),
        ("pages", { (teapot) throws(TeapotError) in for try await _ in teapot.pages("tea", as: Slow.self) {} }),
        (
            "lines",
            { (teapot) throws(TeapotError) in for try await _ in try await teapot.bytes("tea").lines(as: Slow.self) {} }
        ),
        (
            "of one's own",
            { (teapot) throws(TeapotError) in _ = try await Cancelling(teapot: teapot).send("tea", as: Unwanted.self) }
        ),
        (
            "endpoint of one's own",
            { (teapot) throws(TeapotError) in _ = try await Cancelling(teapot: teapot).send(GetSlow()) }
        ),
    ]

    @Test(arguments: Backend.scriptable, brief(calls.indices) { calls[$0].name })
    func `a call that is cancelled while its value is made has none`(_ backend: Backend, _ row: Brief<Int>) async throws
    {
        // Decoding succeeds, and fails.
        for body in ["[1]", "{}"] {
            let (teapot, server) = try backend.teapot(answering: ["/tea": ScriptedAnswer(200, [], body)])
            let call = Self.calls[row.value].1
            let error = await Task { await thrown { () throws(TeapotError) in try await call(teapot) } }.value
            #expect(error?.type == .cancelled)
            #expect(error?.requestLine == "GET \(teapot.baseURL)/tea")
            withExtendedLifetime(server) {}
        }
    }

    // MARK: - By the code of others

    private static let causes: [any Error & Sendable] = [
        CancellationError(), URLError(.cancelled), NSError(domain: NSURLErrorDomain, code: URLError.cancelled.rawValue),
        TeapotError(type: .cancelled, description: "another call"),
    ]

    private struct Unsent: Encodable, Sendable {
        let cause: any Error & Sendable
        func encode(to encoder: any Encoder) throws { throw cause }
    }

    private struct Cancelled: Endpoint {
        let cause: any Error & Sendable
        var request: Teapot.Request { "tea" }
        func parse(_ response: Teapot.Response) throws -> Int { throw cause }
    }

    private typealias Ending = @Sendable (Teapot, any Error & Sendable) async throws(TeapotError) -> Void

    /// Calls that such an error ends.
    private static let endings: [(name: String, Ending)] = [
        (
            "plugin",
            { (teapot, cause) throws(TeapotError) in
                teapot.plugins = [WatchingPlugin(prepare: { _ in throw cause })]
                try await teapot.get("tea")
            }
        ),
        (
            "authenticator",
            { (teapot, cause) throws(TeapotError) in
                teapot.authenticator = Authenticator { _ in throw cause }
                try await teapot.get("tea")
            }
        ),
        (
            "signer",
            { (teapot, cause) throws(TeapotError) in
                teapot.plugins = [Credential.signing { _, _ in throw cause }]
                try await teapot.get("tea")
            }
        ),
        (
            "validate",
            { (teapot, cause) throws(TeapotError) in
                teapot.validate = { _ in throw cause }
                try await teapot.get("tea")
            }
        ),
        (
            "body",
            { (teapot, cause) throws(TeapotError) in
                let pieces = AsyncThrowingStream<Data, any Error> { $0.finish(throwing: cause) }
                try await teapot.send(.init(.put, path: "tea", body: .stream(pieces)))
            }
        ),
        ("encode", { (teapot, cause) throws(TeapotError) in try await teapot.put("tea", body: Unsent(cause: cause)) }),
        ("parse", { (teapot, cause) throws(TeapotError) in _ = try await teapot.send(Cancelled(cause: cause)) }),
        (
            "next page",
            { (teapot, cause) throws(TeapotError) in
                for try await _ in teapot.pages("tea", as: [Int].self, next: { _, _ in throw cause }) {}
            }
        ),
    ]

    @Test(arguments: Backend.scriptable, brief(endings.indices) { endings[$0].name })
    func `a call that the code of others ends by a cancellation is cancelled`(
        _ backend: Backend,
        _ row: Brief<Int>
    ) async throws {
        for cause in Self.causes {
            let (teapot, server) = try backend.teapot(answering: ["/tea": ScriptedAnswer(200, [], "[1]")])
            // In the language of the tests.
            let cancelled = await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await thrown { () throws(TeapotError) in try await teapot.get("tea") }
            }.value
            #expect(cancelled?.type == .cancelled)
            teapot.retryPolicy = RetryPolicy(baseDelay: .zero)
            teapot.retryPolicy?.decide = { _ in .again(after: .zero) }
            let (_, ending) = Self.endings[row.value]
            let error = await thrown { () throws(TeapotError) in try await ending(teapot, cause) }
            #expect(error?.type == .cancelled)
            // That of another call has a description of its own.
            if !(cause is TeapotError) { #expect(error?.description == cancelled?.description) }
            #expect(error?.attempts ?? 0 <= 1)
            withExtendedLifetime(server) {}
        }
    }

    /// Its caller has not cancelled it, and waits.
    @Test(arguments: Backend.scriptable)
    func `a closure call that the code of others ends by a cancellation completes`(_ backend: Backend) async throws {
        let (teapot, server) = try backend.teapot(answering: ["/tea": ScriptedAnswer(200, [], "[1]")])
        teapot.validate = { _ in throw CancellationError() }
        let error = await outcome(of: "tea", from: teapot).error
        #expect(error?.type == .cancelled)
        #expect(error?.underlyingError is CancellationError)
        #expect(error?.text == "[1]")
        withExtendedLifetime(server) {}
    }

    // MARK: - A refresh for several

    @Test(arguments: Backend.scriptable)
    func `a refresh goes on for the calls that are not cancelled`(_ backend: Backend) async throws {
        let (teapot, server) = try backend.teapot(answering: ["/tea": ScriptedAnswer(200, [], "[1]")])
        let (begun, goesOn) = (Signal(), Signal())
        teapot.authenticator = Authenticator { _ in
            begun.fire()
            await goesOn.wait()
            try Task.checkCancellation()
            return .bearer("new")
        }
        let calls = (0..<3).map { _ in Task { await thrown { () throws(TeapotError) in try await teapot.get("tea") } } }
        await begun.wait()
        calls[1].cancel()
        let error = await calls[1].value
        #expect(error?.type == .cancelled)
        #expect(error?.requestLine == "GET \(teapot.baseURL)/tea")
        goesOn.fire()
        for index in [0, 2] { #expect(await calls[index].value == nil) }
        withExtendedLifetime(server) {}
    }

    /// The error of a refresh is also that of the requests whose rejection comes later, unless it only says that somebody cancelled it.
    @Test(arguments: [true, false])
    func `a refresh that was cancelled is begun again for the next rejection`(isCancelled: Bool) async throws {
        let transport = ManualTransport()
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: transport)
        teapot.timeoutInterval = .infinity
        let count = Locked(0)
        teapot.authenticator = Authenticator(.bearer("old")) { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 { throw isCancelled ? URLError(.cancelled) : URLError(.timedOut) }
            return .bearer("new")
        }
        let calls = (0..<2).map { _ in
            Task { await Result(of: { () throws(TeapotError) in try await teapot.get("tea") }) }
        }
        await eventually { transport.hops.count == 2 }
        transport.hops[0].answer(401)
        await eventually { count.withLock { $0 } == 1 }
        // One of the two, whichever it was.
        let first = await withTaskGroup(of: TeapotError?.self) { group in
            for call in calls { group.addTask { await call.value.error } }
            let first = await group.next()
            transport.hops[1].answer(401)
            if isCancelled {
                await eventually { transport.hops.count == 3 }
                transport.hops[2].answer(200)
            }
            return first ?? nil
        }
        #expect(first?.type == (isCancelled ? .cancelled : .preparationFailed))
        #expect(count.withLock { $0 } == (isCancelled ? 2 : 1))
    }
}
