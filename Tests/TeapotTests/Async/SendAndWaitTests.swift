import LoopbackServer
import Teapot
import TestSupport
import Testing
import TestTraits
import XCTest

/// The blocking call. An async test may not make it, so all of them make it in a function or on a queue.
@Suite(.inTurn, .exitTests)
struct SendAndWaitTests {
    typealias Outcome = Result<Teapot.Response, TeapotError>

    /// Blocks the calling thread.
    static func wait(_ request: Teapot.Request, _ teapot: Teapot) -> Outcome {
        do {
            return .success(try teapot.sendAndWait(request))
        } catch {
            return .failure(error)
        }
    }

    /// Makes the call on a queue, which it blocks meanwhile.
    static func outcome(
        of request: Teapot.Request = Teapot.Request(path: "get"),
        from teapot: Teapot,
        on queue: DispatchQueue
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: wait(request, teapot)) }
        }
    }

    static let unanswered = Script([.readRequest, .stall])

    // MARK: - Where it is called

    static let queues: [(name: String, queue: DispatchQueue)] = [
        ("main", .main), ("serial", DispatchQueue(label: "serial")), ("global", .global()),
        ("concurrent", DispatchQueue(label: "concurrent", attributes: .concurrent)),
        ("utility", .global(qos: .utility)), ("background", .global(qos: .background)),
    ]

    @Test(arguments: queues.indices)
    func `on any queue, even if that is where completions are called`(index: Int) async throws {
        let server = try LoopbackServer()
        let queue = Self.queues[index].queue
        let teapot = Teapot(baseURL: server.baseURL, defaultDeliveryQueue: queue, clock: StoppedClock())
        let request = Teapot.Request(
            .post,
            path: "redirect-to?url=/anything&status_code=307",
            body: AsyncVerbTests.body
        )
        let response = try await Self.outcome(of: request, from: teapot, on: queue).get()
        #expect(response.status == 200)
        #expect(try response.decode(AsyncVerbTests.Echo.self).data == "tea")
        #expect(server.requests.map(\.method) == ["POST", "POST"])
    }

    @Test @MainActor func `on the main actor`() throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        #expect(try Self.wait(Teapot.Request(path: "get"), teapot).get().status == 200)
    }

    @Test func `on a thread of its own`() async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        let outcome = await onSmallStack { Self.wait(Teapot.Request(path: "get"), teapot) }
        #expect(try outcome.get().status == 200)
    }

    @Test func `within a completion, on its delivery queue`() async throws {
        let server = try LoopbackServer()
        let queue = DispatchQueue(label: "delivery")
        let teapot = Teapot(baseURL: server.baseURL, defaultDeliveryQueue: queue, clock: StoppedClock())
        let outcome: Outcome = await withCheckedContinuation { continuation in
            teapot.get("get?n=1") { (_: NetworkResult) in
                continuation.resume(returning: Self.wait(Teapot.Request(path: "get?n=2"), teapot))
            }
        }
        #expect(try outcome.get().status == 200)
        #expect(server.requests.map(\.query) == ["n=1", "n=2"])
    }

    /// A logger's output is called where the transport's events come; nothing else comes there meanwhile.
    @Test(arguments: ["get", "status/404"])
    func `where the transport's events come`(path: String) async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        let inner = Locked<[Outcome]>([])
        let isWithin = Locked(false)
        teapot.logger = Logger(level: .incomingData) { [weak teapot] _ in
            guard let teapot, !isWithin.withLock({ $0 }) else { return }
            isWithin.withLock { $0 = true }
            let outcome = Self.wait(Teapot.Request(path: "get?inner"), teapot)
            inner.withLock { $0.append(outcome) }
            isWithin.withLock { $0 = false }
        }
        let outer = await TestSupport.outcome(of: Teapot.Request(path: path), from: teapot)
        #expect((try? outer.get())?.status == (path == "get" ? 200 : nil))
        let outcomes = inner.withLock { $0 }
        #expect(outcomes.isEmpty == false)
        for outcome in outcomes { #expect((try? outcome.get())?.status == 200) }
        #expect(server.requests.filter { $0.query == "inner" }.count == outcomes.count)
    }

    /// Each entry makes a call, whose entry makes a call, of the same Teapot or of one another: three deep.
    @Test(arguments: [1, 2])
    func `where events come while another call waits for them`(teapots count: Int) async throws {
        let server = try LoopbackServer()
        let teapots = (0..<count).map { _ in Teapot(baseURL: server.baseURL) }
        let inner = Locked<[Outcome]>([])
        let depth = Locked(0)
        let logger = Logger(level: .incomingData) { [weak first = teapots.first, weak last = teapots.last] _ in
            let level = depth.withLock { depth in
                depth += 1
                return depth
            }
            guard level <= 3, let teapot = level.isMultiple(of: 2) ? first : last else { return }
            let outcome = Self.wait(Teapot.Request(path: "get?inner"), teapot)
            inner.withLock { $0.append(outcome) }
        }
        for teapot in teapots { teapot.logger = logger }
        let outcome = await Self.outcome(from: try #require(teapots.first), on: DispatchQueue(label: "serial"))
        #expect(try outcome.get().status == 200)
        #expect(inner.withLock { $0 }.map { (try? $0.get())?.status } == [200, 200, 200])
        #expect(server.requests.count == 4)
    }

    @Test func `on two hundred threads at once`() async throws {
        let server = try LoopbackServer(recordsRequests: false)
        let teapot = Teapot(baseURL: server.baseURL)
        let statuses = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<200 {
                let request = Teapot.Request(path: "get?n=\(number)", timeoutInterval: 60)
                group.addTask { await onSmallStack { (try? Self.wait(request, teapot).get())?.status } }
            }
            return await group.reduce(into: [Int?]()) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 200))
    }

    /// Dispatch has no worker left for the transport while they all wait: some may well time out. A process of its own, since
    /// nothing else gets on there meanwhile.
    @Test func `two hundred at once all end`() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer(recordsRequests: false)
            let teapot = Teapot(baseURL: server.baseURL)
            let outcomes = await withTaskGroup(of: Outcome.self) { group in
                for number in 0..<200 {
                    let request = Teapot.Request(path: "get?n=\(number)", timeoutInterval: 0.2)
                    group.addTask { await Self.outcome(of: request, from: teapot, on: .global()) }
                }
                return await group.reduce(into: [Outcome]()) { $0.append($1) }
            }
            #expect(outcomes.count == 200)
            for case .failure(let error) in outcomes {
                #expect((error.underlyingError as? URLError)?.code == .timedOut)
            }
            // Afterwards all is as before.
            let outcome = await Self.outcome(from: teapot, on: .global())
            #expect(try outcome.get().status == 200)
        }
    }

    // MARK: - Time

    @Test(arguments: [DispatchQueue.main, DispatchQueue(label: "serial"), .global()])
    func `a server that never answers is timed out`(queue: DispatchQueue) async throws {
        let server = try LoopbackServer(scripts: [Self.unanswered])
        let teapot = Teapot(baseURL: server.baseURL)
        let begin = ContinuousClock.now
        let outcome = await Self.outcome(of: Teapot.Request(path: "get", timeoutInterval: 0.2), from: teapot, on: queue)
        let error = #expect(throws: TeapotError.self) { try outcome.get() }
        #expect(error?.type == .noResponse)
        #expect((error?.underlyingError as? URLError)?.code == .timedOut)
        #expect(ContinuousClock.now - begin >= .milliseconds(200))
    }

    /// A block before the timer in Dispatch's queue would delay it for minutes. The test has a process of its own.
    @Test func `the timeout needs no queue`() async {
        await #expect(processExitsWith: .success) {
            let url = try #require(URL(string: "http://api.example"))
            let teapot = Teapot(baseURL: url, transport: ManualTransport())
            let (outcome, time) = await withCheckedContinuation { continuation in
                let thread = Thread {
                    let gate = DispatchSemaphore(value: 0)
                    let workers = 2_000
                    for _ in 0..<workers { DispatchQueue.global().async { gate.wait() } }
                    let begin = ContinuousClock.now
                    let outcome = Self.wait(Teapot.Request(timeoutInterval: 0.2), teapot)
                    let time = ContinuousClock.now - begin
                    for _ in 0..<workers { gate.signal() }
                    continuation.resume(returning: (outcome, time))
                }
                thread.start()
            }
            let error = #expect(throws: TeapotError.self) { try outcome.get() }
            #expect(error?.type == .noResponse)
            #expect(time >= .milliseconds(200))
            #expect(time < .seconds(20))
        }
    }

    // MARK: - Results

    static let refused: [(request: Teapot.Request, type: TeapotError.ErrorType)] = [
        (Teapot.Request(path: "//h/a"), .invalidRequestPath), (Teapot.Request(path: "../a"), .invalidRequestPath),
        (Teapot.Request(headerFields: ["X A": ""]), .invalidHeaderField),
        (Teapot.Request(body: AsyncVerbTests.body), .invalidPayload),
        (Teapot.Request(.post, body: Teapot.Request.Body(file: URL(filePath: "/there/is/none"))), .fileError),
    ]

    @Test(arguments: refused.indices)
    func `an invalid request fails at once, and nothing is sent`(index: Int) async throws {
        let transport = ManualTransport()
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: transport)
        let (request, type) = Self.refused[index]
        let outcome = await Self.outcome(of: request, from: teapot, on: .main)
        let error = #expect(throws: TeapotError.self) { try outcome.get() }
        #expect(error?.type == type)
        #expect(transport.hops.isEmpty)
    }

    @Test func `no connection is noResponse`() async throws {
        // Nobody listens there, while the port of a server that is gone may be another's by now.
        let teapot = Teapot(baseURL: try #require(URL(string: "http://127.0.0.1:1")))
        let outcome = await Self.outcome(from: teapot, on: .main)
        let error = #expect(throws: TeapotError.self) { try outcome.get() }
        #expect(error?.type == .noResponse)
    }

    @Test func `a large body arrives`() async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL)
        let outcome = await Self.outcome(of: Teapot.Request(path: "bytes/100000"), from: teapot, on: .main)
        #expect(try outcome.get().data.count == 100_000)
    }

    @Test func `a file goes out`() async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL)
        let file = FileManager.default.temporaryDirectory.appending(path: "teapot-wait-\(UUID())")
        try AsyncVerbTests.fileBytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let request = Teapot.Request(.put, path: "put", body: Teapot.Request.Body(file: file))
        let outcome = await Self.outcome(of: request, from: teapot, on: .main)
        #expect(try outcome.get().status == 200)
        #expect(server.requests.map(\.body) == [AsyncVerbTests.fileBytes])
    }
}

/// XCTest calls a synchronous test on the main thread, where a command-line tool would make the call.
final class SendAndWaitXCTests: XCTestCase {
    func testOnTheMainThread() throws {
        XCTAssertTrue(Thread.isMainThread)
        let server = try LoopbackServer(scripts: [SendAndWaitTests.unanswered])
        let teapot = Teapot(baseURL: server.baseURL)
        XCTAssertThrowsError(try teapot.sendAndWait(Teapot.Request(path: "get", timeoutInterval: 0.2))) { error in
            XCTAssertEqual((error as? TeapotError)?.type, .noResponse)
        }
        XCTAssertEqual(try teapot.sendAndWait(Teapot.Request(path: "get")).status, 200)
    }
}
