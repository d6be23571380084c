import Foundation
@testable internal import Teapot
import TestSupport
import TestTraits
import Testing

/// Calls that are cancelled by the code that they call: the log, the plugins, the transport, the authenticator, a progress
/// closure.
@Suite(.inTurn)
struct CallCancellationTests {
    private let queue = DispatchQueue(label: "delivery")
    private let body = String(repeating: "tea ", count: 1_000)

    // MARK: - One moment

    @Test func `a call that is suspended by the log after a redirect still sends the request`() async throws {
        let transport = ManualTransport()
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: transport)
        let task = Locked<URLSessionTask?>(nil)
        teapot.logger = Logger(level: .incomingAndOutgoingData) { entry in
            if entry.contains("→ GET http://api.example/moved") { task.withLock { $0 }?.suspend() }
        }
        let completions = Completions()
        let call = teapot.get("here", timeoutInterval: .infinity, deliveryQueue: queue, completion: completions.take)
        task.withLock { $0 = call }
        try #require(transport.hops.first).answer(307, headers: ["Location": "/moved"])
        try #require(transport.hops.dropFirst().first).answer(200)
        await queue.drain()
        #expect(completions.count == 0)
        call?.resume()
        await queue.drain()
        #expect(completions.all.map(\.isSuccess) == [true])
    }

    @Test(arguments: CallShape.all.filter { $0.kind == .async })
    func `a task that was cancelled before neither checks its path nor sends anything`(shape: CallShape) async throws {
        let transport = ManualTransport()
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: transport)
        for path in ["//a", "a"] {
            let error = try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await shape.outcome(of: path, from: teapot, in: try TemporaryFolder()).error
            }.value
            #expect(error?.type == .cancelled)
            // The invalid path has no URL.
            #expect(error?.requestLine == (path == "a" ? "\(shape.method) http://api.example/a" : nil))
        }
        #expect(transport.hops.isEmpty)
    }

    @Test(arguments: CallShape.all.filter { $0.kind == .async })
    func `plugins see a cancelled request before the caller does`(shape: CallShape) async throws {
        let isStarted = Signal()
        let transport = ManualTransport { hop in
            hop.respond(200)
            isStarted.fire()
        }
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: transport)
        let plugin = WatchingPlugin()
        teapot.plugins = [plugin]
        let call = Task {
            let error = await shape.outcome(of: "a", from: teapot, in: try TemporaryFolder()).error
            return (error, plugin.all.last)
        }
        await isStarted.wait()
        call.cancel()
        let (error, last) = try await call.value
        #expect(error?.type == .cancelled)
        #expect(last == "didReceive cancelled \(shape.method) /a")
    }

    /// What the caller did not cancel is a failure like any other.
    @Test func `a cancellation by a plugin is logged`() async throws {
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: ManualTransport())
        let entries = Locked<[String]>([])
        teapot.logger = Logger(level: .error) { entry in entries.withLock { $0.append(entry) } }
        teapot.plugins = [WatchingPlugin { _ in throw CancellationError() }]
        let error = await thrown { () throws(TeapotError) in try await teapot.get("a") }
        #expect(error?.type == .cancelled)
        #expect(entries.withLock { $0.count } == 1)
    }

    /// Its task takes the result after it was cancelled: nothing of it counts.
    @Test func `a call that is cancelled between its response and its task ends as cancelled`() async throws {
        let transport = ManualTransport()
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: transport)
        let seen = Locked<[String]>([])
        teapot.validate = { _ in seen.withLock { $0.append("validate") } }
        teapot.plugins = [
            WatchingPlugin(didReceive: { result, _ in
                let type = if case .failure(let error) = result { "\(error.type)" } else { "success" }
                seen.withLock { $0.append(type) }
            })
        ]
        let call = teapot.call(for: { () throws(TeapotError) in Teapot.Request(path: "a") }, of: .task)
        call.begin()
        try #require(transport.hops.first).answer(200, headers: ["Set-Cookie": "a=b"])
        call.cancel()
        let outcome = await call.outcome()
        let error = #expect(throws: TeapotError.self) { try outcome.get() }
        #expect(error?.type == .cancelled)
        #expect(seen.withLock { $0 } == ["cancelled"])
        #expect(teapot.cookies.all.isEmpty)
    }

    @Test(arguments: CallShape.all.filter { $0.kind == .async })
    func `a task that is cancelled while it waits ends the exchange at once`(shape: CallShape) async throws {
        let isStarted = Signal()
        let transport = ManualTransport { _ in isStarted.fire() }
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: transport)
        let task = Task { await shape.outcome(of: "a", from: teapot, in: try TemporaryFolder()).error }
        await isStarted.wait()
        task.cancel()
        // The transport says nothing more: only the cancellation can end the call.
        let error = try await task.value
        #expect(error?.type == .cancelled)
        #expect(error?.code == .cancelled)
        #expect(error?.response == nil)
        #expect(error?.requestLine == "\(shape.method) http://api.example/a")
        #expect(transport.hops.map(\.isCancelled) == [true])
    }

    // MARK: - Every moment

    /// A kind of call. Uploads have a file as their body.
    enum Kind: CaseIterable, Sendable {
        case closure, upload, download, bytes

        var sendsFile: Bool { [.closure, .upload].contains(self) }
    }

    /// A table of all cases.
    struct Setting: Sendable, CustomTestStringConvertible {
        let kind: Kind
        /// Whether there are plugins.
        let hasPlugins: Bool
        /// Whether the transport answers before it returns its task.
        let answersAtOnce: Bool

        var testDescription: String {
            "\(kind)" + (hasPlugins ? ", plugins" : "") + (answersAtOnce ? ", answers at once" : "")
        }

        static let all = Kind.allCases.flatMap { kind in
            [(false, false), (false, true), (true, false), (true, true)].map {
                Setting(kind: kind, hasPlugins: $0.0, answersAtOnce: $0.1)
            }
        }
    }

    @Test(arguments: Setting.all)
    func `a call that is cancelled from within sends nothing more`(_ setting: Setting) async throws {
        var index = 0
        while true {
            let course = try await run(setting, cancelledAt: index, inPlace: true)
            guard let name = course.cancelledAt else { break }
            #expect(course.startsAfterCancelling == 0, "cancelled at moment \(index), \(name)")
            #expect(course.problems.isEmpty, "cancelled at moment \(index), \(name)")
            index += 1
        }
        // Five requests, each with several moments.
        #expect(index >= (setting.hasPlugins ? 30 : 15))
    }

    @Test(arguments: Setting.all.filter(\.hasPlugins))
    func `a call that another thread cancels sends whole requests only`(_ setting: Setting) async throws {
        var index = 0
        while true {
            let course = try await run(setting, cancelledAt: index, inPlace: false)
            guard let name = course.cancelledAt else { break }
            // The other thread may come between the last check and the transport.
            #expect(course.startsAfterCancelling <= 1, "cancelled at moment \(index), \(name)")
            #expect(course.problems.isEmpty, "cancelled at moment \(index), \(name)")
            index += 1
        }
        #expect(index >= (setting.hasPlugins ? 30 : 15))
    }

    /// Makes a call with five requests (a redirect, a rejected credential, a failure to retry, and the redirect again), and
    /// cancels it at one moment. `inPlace` says whether the code that cancels it waits for that.
    private func run(_ setting: Setting, cancelledAt index: Int, inPlace: Bool) async throws -> Course.State {
        let folder = try TemporaryFolder()
        try folder.write(body, to: "body")
        let course = Course(index, inPlace: inPlace, body: setting.kind.sendsFile ? Data(body.utf8) : nil)
        let lines = Locked<[String]>([])
        let plugins = setting.hasPlugins ? ["first", "second"].map { course.plugin($0, lines) } : []
        let isOver = Signal()
        let completions = Locked(0)
        do {
            let end = End(isOver)
            let teapot = Teapot(
                baseURL: try #require(URL(string: "http://api.example")),
                defaultDeliveryQueue: queue,
                transport: CourseTransport(course: course, answersAtOnce: setting.answersAtOnce)
            )
            teapot.answersAtOnce = setting.answersAtOnce
            teapot.timeoutInterval = .infinity
            teapot.plugins = plugins
            teapot.retryPolicy = RetryPolicy(baseDelay: .zero)
            teapot.authenticator = Authenticator(.bearer("stale")) { _ in
                course.waitForTask()
                course.reach("refresh")
                return .bearer("fresh")
            }
            teapot.authenticator?.refreshTimeout = nil
            // Every call keeps the logger.
            teapot.logger = Logger(level: .incomingAndOutgoingData) { entry in
                withExtendedLifetime(end) { course.reach("log \(entry.prefix(60))") }
            }
            if setting.kind == .closure {
                let file = Teapot.Request.Body.file(folder.file("body"))
                let task = teapot.send(Teapot.Request(.put, path: "here", body: file)) { _ in
                    completions.withLock { $0 += 1 }
                    course.end()
                }
                course.begin { task?.cancel() }
            } else {
                let (kind, gate) = (setting.kind, Signal())
                let call = Task { () -> TeapotError? in
                    await gate.wait()
                    let error = await failure(of: kind, teapot, folder, course)
                    completions.withLock { $0 += 1 }
                    course.end()
                    return error
                }
                course.begin { call.cancel() }
                gate.fire()
                let error = await call.value
                // A download whose body has arrived is not undone.
                let isCancelled = course.state.withLock { $0.cancelledAt } != nil
                let mayBeSuccess = !isCancelled || [.download, .bytes].contains(kind) || !inPlace
                switch error {
                case nil: #expect(mayBeSuccess, "\(setting.testDescription) at \(index) succeeded")
                case let error?:
                    #expect(isCancelled && error.type == .cancelled, "\(setting.testDescription) at \(index)")
                }
            }
            await course.ended.wait()
        }
        course.release()
        // Until the last step of the call has returned.
        await isOver.wait()
        await queue.drain()
        var state = course.state.withLock { $0 }
        let count = completions.withLock { $0 }
        if setting.kind != .closure || state.cancelledAt == nil {
            if count != 1 { state.problems.append("\(count) completions") }
        } else if inPlace ? count != 0 : count > 1 {
            state.problems.append("\(count) completions of a cancelled call")
        }
        for plugin in plugins.compactMap({ $0 as? WatchingPlugin }) { state.problems += plugin.problems }
        return state
    }

    private func failure(
        of kind: Kind,
        _ teapot: Teapot,
        _ folder: TemporaryFolder,
        _ course: Course
    ) async -> TeapotError? {
        let file = Teapot.Request.Body.file(folder.file("body"))
        var options = Call.Options()
        options.sent = { _, _ in course.reach("sent") }
        do throws(TeapotError) {
            switch kind {
            case .closure, .upload:
                _ = try await teapot.response(to: Teapot.Request(.put, path: "here", body: file), options: options)
            case .download:
                let sink = ReachingSink(course)
                _ = try await teapot.response(to: Teapot.Request(path: "here"), options: Call.Options(sink: sink))
            case .bytes:
                let bytes = try await teapot.bytes("here")
                course.reach("bytes")
                for try await _ in bytes { course.reach("chunk") }
            }
            return nil
        } catch {
            return error
        }
    }
}

/// Fires a signal when nothing refers to it any more.
private final class End: Sendable {
    private let signal: Signal
    init(_ signal: Signal) { self.signal = signal }
    deinit { signal.fire() }
}

/// The course of one call: numbers its moments, and cancels it at one of them.
private final class Course: Sendable {
    struct State: Sendable {
        var cancel: (@Sendable () -> Void)?
        var moments = 0
        /// The name of the moment at which the call was cancelled.
        var cancelledAt: String?
        var isCancelled = false
        var startsAfterCancelling = 0
        var failures = 0
        var problems: [String] = []
    }

    let state = Locked(State())
    /// Fired at the end of the call, however it ends.
    let ended = Signal()
    private let begun = DispatchSemaphore(value: 0)
    private let index: Int
    private let inPlace: Bool
    private let body: Data?

    init(_ index: Int, inPlace: Bool, body: Data?) {
        (self.index, self.inPlace, self.body) = (index, inPlace, body)
    }

    func begin(_ cancel: @escaping @Sendable () -> Void) {
        state.withLock { $0.cancel = cancel }
        begun.signal()
    }

    func end() { ended.fire() }
    func release() { state.withLock { $0.cancel = nil } }

    /// Blocks the transport's queue until the test has the task of the call.
    func waitForTask() {
        begun.wait()
        begun.signal()
    }

    func reach(_ name: String) {
        let cancel = state.withLock { state -> (@Sendable () -> Void)? in
            // Until then, there is nothing to cancel.
            guard let cancel = state.cancel else { return nil }
            defer { state.moments += 1 }
            guard state.moments == index else { return nil }
            state.cancelledAt = name
            return cancel
        }
        guard let cancel else { return }
        guard inPlace else {
            return DispatchQueue.global().async {
                cancel()
                self.noteCancelled()
            }
        }
        cancel()
        noteCancelled()
    }

    private func noteCancelled() {
        state.withLock { $0.isCancelled = true }
        end()
    }

    /// Answers a request, and checks that it is whole.
    func answer(_ request: URLRequest, _ bodyFile: URL?) -> (status: Int, headers: [String: String]) {
        let sent = bodyFile.flatMap { try? Data(contentsOf: $0) }
        return state.withLock { state in
            if state.isCancelled { state.startsAfterCancelling += 1 }
            if sent != body { state.problems.append("a request has \(sent?.count ?? -1) bytes of its body") }
            guard request.url?.path() == "/moved" else { return (307, ["Location": "/moved"]) }
            guard request.value(forHTTPHeaderField: "Authorization") == "Bearer fresh" else { return (401, [:]) }
            state.failures += 1
            return state.failures == 1 ? (503, [:]) : (200, [:])
        }
    }

    func plugin(_ name: String, _ lines: Locked<[String]>) -> any Teapot.Plugin {
        WatchingPlugin(
            name,
            lines: lines,
            prepare: { _ in self.reach("\(name) prepare") },
            willSend: { _ in self.reach("\(name) willSend") },
            didReceive: { _, _ in self.reach("\(name) didReceive") }
        )
    }
}

private struct CourseTransport: Transport {
    private static let queue = DispatchQueue(label: "CourseTransport", attributes: .concurrent)
    let course: Course
    let answersAtOnce: Bool

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        let (status, headers) = course.answer(request.urlRequest, request.bodyFile)
        course.reach("start")
        let answer = { @Sendable in
            course.reach("before the response")
            let response = request.urlRequest.url.flatMap {
                HTTPURLResponse(url: $0, statusCode: status, httpVersion: nil, headerFields: headers)
            }
            guard let response else { return receive(.finished(URLError(.badURL))) }
            receive(.sent(1))
            receive(.response(response))
            course.reach("response")
            receive(.data(Data("{}".utf8)))
            course.reach("data")
            receive(.finished(nil))
        }
        if answersAtOnce {
            answer()
        } else {
            Self.queue.async {
                course.waitForTask()
                answer()
            }
        }
        return UncancellableTask()
    }
}

/// The sink of a download that discards the body.
private final class ReachingSink: BodySink {
    private let course: Course

    init(_ course: Course) { self.course = course }

    var isReader: Bool { false }
    func started() { course.reach("sink started") }
    func begin(_ response: ResponseHead) { course.reach("sink begin") }
    func receive(_ piece: Data) { course.reach("sink receive") }
    var partialBody: PartialBody? { PartialBody() }

    func finish(_ outcome: Teapot.Outcome, then: @escaping @Sendable (Teapot.Outcome) -> Void) {
        course.reach("sink finish")
        then(outcome)
    }
}
