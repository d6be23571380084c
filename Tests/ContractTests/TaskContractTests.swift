import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Code of users that an async call runs has the values, the priority and the cancellation of the caller's task, whatever answers.
@Suite(.inTurn)
struct TaskContractTests {
    @TaskLocal private static var trace = "none"

    /// A way to make an async call.
    enum Way: String, CaseIterable, CustomTestStringConvertible {
        case send, decode, endpoint, download, upload, bytes, pages, events

        var testDescription: String { rawValue }

        /// Whether the response is validated: a body in a file or a stream is not.
        var isValidated: Bool { ![.download, .bytes, .events].contains(self) }

        private struct GetTea: Endpoint {
            var request: Teapot.Request { "tea" }
            func parse(_ response: Teapot.Response) throws -> Int { response.status }
        }

        func call(_ teapot: Teapot, to path: Teapot.Path = "tea", in folder: TemporaryFolder) async throws {
            switch self {
            case .send: try await teapot.send(Teapot.Request(path: path))
            case .decode: _ = try await teapot.get(path, as: EmptyResponse.self)
            case .endpoint: try await teapot.send(GetTea())
            case .download: try await teapot.download(Teapot.Request(path: path), to: folder.file("tea"))
            case .upload: try await teapot.upload(Teapot.Request(path: path)) { _ in }
            case .bytes: for try await _ in try await teapot.bytes(Teapot.Request(path: path)) {}
            case .pages: for try await _ in teapot.pages(Teapot.Request(path: path), as: EmptyResponse.self) {}
            case .events:
                for try await _ in teapot.events(Teapot.Request(path: path)) { break }
            }
        }
    }

    /// A backend, perhaps with a recorder in front.
    struct Place: Sendable, CustomTestStringConvertible {
        let backend: Backend
        var isRecorded = false

        static var all: [Place] {
            let plain = Backend.scriptable.map { Place(backend: $0) }
            return plain
                + plain.filter { $0.backend == .mock || $0.backend == .loopback }
                .map { Place(backend: $0.backend, isRecorded: true) }
        }

        var testDescription: String { backend.testDescription + (isRecorded ? ", recorded" : "") }
    }

    /// Writes down what its code is called with.
    private final class Notes: Teapot.Plugin {
        private struct State {
            var counts: [String: Int] = [:]
            var others: Set<String> = []
            var cancelled: [String] = []
        }

        private let state = Locked(State())
        let sent = Signal()

        /// How often each kind of code was called.
        var counts: [String: Int] { state.withLock { $0.counts } }
        /// The code that had other values or another priority than the caller.
        var others: Set<String> { state.withLock { $0.others } }
        /// The code that found its task cancelled.
        var cancelled: [String] { state.withLock { $0.cancelled } }

        /// Other callers may wait for what is shared, which then has a priority of its own.
        func note(_ name: String, isShared: Bool = false) {
            let seen = "\(TaskContractTests.trace), \(isShared || Task.currentPriority == .utility)"
            let isCancelled = Task.isCancelled
            state.withLock { state in
                state.counts[name, default: 0] += 1
                if seen != "abc, true" { state.others.insert("\(name): \(seen)") }
                if isCancelled { state.cancelled.append(name) }
            }
        }

        func prepare(_ request: inout URLRequest) { note("prepare") }

        func willSend(_ request: Teapot.SentRequest) {
            note("willSend")
            sent.fire()
        }

        func didReceive(_ result: Result<Teapot.Response, TeapotError>, for request: Teapot.SentRequest) {
            note("didReceive")
        }

        func willRetry(_ error: TeapotError, for request: Teapot.SentRequest, after delay: Duration) {
            note("willRetry")
        }
    }

    /// A client all of whose code writes down what it is called with.
    private func client(of service: ScriptedService, in place: Place, _ notes: Notes) -> Teapot {
        let teapot = service.client(
            over: place.isRecorded ? RecordingTransport(wrapping: service.transport) : nil
        )
        teapot.plugins = [notes]
        teapot.logger = Logger(level: .incomingAndOutgoingData) { _ in notes.note("log") }
        teapot.validate = { _ in notes.note("validate") }
        teapot.retryPolicy = RetryPolicy(baseDelay: .zero).with {
            $0.decide = { _ in
                notes.note("decide")
                return nil
            }
        }
        var authenticator = Authenticator(.bearer("0")) { _ in
            notes.note("refresh", isShared: true)
            return .bearer("1")
        }
        authenticator.refreshTimeout = nil
        authenticator.scope = { _ in
            notes.note("scope")
            return ""
        }
        teapot.authenticator = authenticator
        return teapot
    }

    /// The end of a task of the caller's priority, which a task that awaited it would raise.
    private func inTask(_ body: @escaping @Sendable () async -> Void) async {
        let end = Signal()
        Task(priority: .utility) {
            await Self.$trace.withValue("abc") { await body() }
            end.fire()
        }
        await end.wait()
    }

    @Test(arguments: Place.all, Way.allCases)
    func `of every attempt, the code has the values and the priority of the caller`(
        place: Place,
        way: Way
    ) async throws {
        let failures = Locked(1)
        // A credential that is rejected, a failure, a redirect, and a success.
        let service = try ScriptedService(place.backend) { request in
            guard request.credential == "Bearer 1" else { return ScriptedAnswer(401) }
            guard request.path == "tea" else {
                return ScriptedAnswer(200, [("Content-Type", "text/event-stream")], "data: tea\n\n")
            }
            let isFailure = failures.withLock { count in
                count -= 1
                return count == 0
            }
            return isFailure ? ScriptedAnswer(503) : ScriptedAnswer(302, [("Location", "cup")])
        }
        let (notes, folder) = (Notes(), try TemporaryFolder())
        let teapot = client(of: service, in: place, notes)
        await inTask {
            do { try await way.call(teapot, in: folder) } catch { Issue.record("\(error)") }
        }
        // A stream of events goes on until its reader has left it.
        if way == .events { await eventually { notes.counts["didReceive"] == 4 } }
        #expect(notes.others.isEmpty)
        let counts = notes.counts
        #expect(service.requests.map(\.path) == ["tea", "tea", "tea", "cup"])
        #expect(counts["prepare"] == 3)
        #expect(counts["willSend"] == 4)
        #expect(counts["didReceive"] == 4)
        #expect(counts["willRetry"] == 1)
        #expect(counts["refresh"] == 1)
        #expect(counts["validate"] == (way.isValidated ? 1 : nil))
        for name in ["decide", "scope", "log"] { #expect(counts[name] ?? 0 > 0, "\(name)") }
    }

    @Test(arguments: Place.all, Way.allCases)
    func `the code that sees a cancelled call has its values, and finds it cancelled`(
        place: Place,
        way: Way
    ) async throws {
        let service = try ScriptedService(place.backend) { _ in
            var answer = ScriptedAnswer(200)
            answer.isHeld = true
            return answer
        }
        let (notes, folder) = (Notes(), try TemporaryFolder())
        let teapot = client(of: service, in: place, notes)
        let isOver = Signal()
        let call = Task(priority: .utility) {
            await Self.$trace.withValue("abc") {
                do {
                    try await way.call(teapot, in: folder)
                    // A loop over events ends quietly.
                    if way != .events { Issue.record("it is cancelled") }
                } catch { #expect((error as? TeapotError)?.type == .cancelled) }
            }
            isOver.fire()
        }
        await notes.sent.wait()
        call.cancel()
        await isOver.wait()
        await eventually { notes.counts["didReceive"] == 1 }
        #expect(notes.others.isEmpty)
        #expect(notes.cancelled == ["didReceive"])
    }

    /// A closure call has no task, and goes on where the refresh ends.
    @Test(arguments: Backend.scriptable)
    func `a closure call that waits for the refresh of another has nothing of its values`(backend: Backend) async throws
    {
        let service = try ScriptedService(backend) { _ in ScriptedAnswer(200) }
        let (teapot, issuer) = (service.client(), TokenIssuer(isHeld: true))
        teapot.authenticator = issuer.authenticator()
        let traces = Locked<[String]>([])
        teapot.plugins = [WatchingPlugin(didReceive: { _, _ in traces.withLock { $0.append(Self.trace) } })]
        async let status = Self.$trace.withValue("abc") { try await teapot.get("async").status }
        await issuer.begun.wait()
        let result = await result { completion in
            let task = teapot.get("closure", completion: completion)
            issuer.release()
            return task
        }
        #expect(result.isSuccess)
        #expect(try await status == 200)
        #expect(traces.withLock { $0.sorted() } == ["abc", "none"])
    }

    /// The plugin of an async call does not keep the transport from anything, also for other clients.
    @Test(.exitTests, arguments: Backend.scriptable)
    func `a plugin may wait for another call over the same transport`(backend: Backend) async throws {
        let service = try ScriptedService(backend) { _ in ScriptedAnswer(200) }
        let (teapot, other) = (service.client(), service.client())
        let statuses = Locked<[Int?]>([])
        let wait = { @Sendable in
            let status = try? other.sendAndWait(Teapot.Request(path: "inner")).status
            statuses.withLock { $0.append(status) }
        }
        teapot.plugins = [
            WatchingPlugin(prepare: { _ in wait() }, willSend: { _ in wait() }, didReceive: { _, _ in wait() })
        ]
        teapot.validate = { _ in wait() }
        #expect(try await teapot.get("tea").status == 200)
        #expect(statuses.withLock { $0 } == [200, 200, 200, 200])
    }
}

extension RetryPolicy {
    fileprivate func with(_ change: (inout RetryPolicy) -> Void) -> RetryPolicy {
        var policy = self
        change(&policy)
        return policy
    }
}
