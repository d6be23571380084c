import Teapot
import TestSupport
import TestTraits
import Testing

/// The order of outcomes in their queue.
@Suite(.inTurn)
struct OutcomeOrderTests {
    private let transport = ManualTransport()
    private let queue = DispatchQueue(label: "delivery")
    private let teapot: Teapot
    /// The calls whose outcomes were delivered, in order, and the numbers of the caller's own blocks.
    private let delivered = Locked<[Int]>([])

    init() throws {
        let url = try #require(URL(string: "http://api.example"))
        teapot = Teapot(baseURL: url, defaultDeliveryQueue: queue, transport: transport)
    }

    /// - Returns: The exchange of the call, whose number is the count of the exchanges before it.
    @discardableResult private func send(
        from client: Teapot? = nil,
        on queue: DispatchQueue? = nil,
        then: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws -> ManualTransport.Hop {
        let call = transport.hops.count
        (client ?? teapot).get("tea", timeoutInterval: .infinity, deliveryQueue: queue) { _ in
            delivered.withLock { $0.append(call) }
            then(call)
        }
        return try #require(transport.hops.last)
    }

    /// Keeps the queue busy while `end` ends calls.
    private func whileBusy(_ end: () throws -> Void) async rethrows {
        let gate = DispatchSemaphore(value: 0)
        queue.async { gate.wait() }
        defer { gate.signal() }
        try end()
    }

    enum Ending: CaseIterable, Sendable {
        case small, medium, refused, brokenOff, lost

        func end(_ hop: ManualTransport.Hop) {
            switch self {
            case .small: hop.answer(200, body: #"{"a": 1}"#)
            case .medium: hop.answer(200, body: #"["\#(String(repeating: "a", count: 3_000))"]"#)
            case .refused: hop.answer(404, body: "{}")
            case .brokenOff:
                hop.respond(200)
                hop.report(.finished(URLError(.networkConnectionLost)))
            case .lost: hop.report(.finished(URLError(.networkConnectionLost)))
            }
        }
    }

    @Test(arguments: Ending.allCases)
    func `a busy queue gets outcomes in the order in which they ended, between the caller's blocks`(
        other: Ending
    ) async throws {
        let hops = try (0..<24).map { _ in try send() }
        await whileBusy {
            for (index, hop) in hops.reversed().enumerated() {
                (index.isMultiple(of: 5) ? other : .small).end(hop)
                if index.isMultiple(of: 7) { queue.async { delivered.withLock { $0.append(100 + index) } } }
            }
        }
        await queue.drain()
        let expected = (0..<24).flatMap { $0.isMultiple(of: 7) ? [23 - $0, 100 + $0] : [23 - $0] }
        #expect(delivered.withLock { $0 } == expected)
    }

    @Test func `a barrier of the caller stands where it was put`() async throws {
        let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let hops = try (0..<8).map { _ in try send(on: concurrent) }
        for hop in hops[..<4] { Ending.small.end(hop) }
        concurrent.async(flags: .barrier) { delivered.withLock { $0.append(100) } }
        for hop in hops[4...] { Ending.small.end(hop) }
        concurrent.sync(flags: .barrier) {}
        let order = delivered.withLock { $0 }
        #expect(Set(order.prefix(4)) == [0, 1, 2, 3])
        #expect(order.dropFirst(4).first == 100)
        #expect(Set(order.suffix(4)) == [4, 5, 6, 7])
    }

    @Test func `a call that is cancelled while its outcome is in the queue is not delivered`() async throws {
        try send()
        let task = teapot.get("tea", timeoutInterval: .infinity) { _ in delivered.withLock { $0.append(1) } }
        await whileBusy {
            for hop in transport.hops { Ending.small.end(hop) }
            task?.cancel()
        }
        await queue.drain()
        #expect(delivered.withLock { $0 } == [0])
    }

    @Test func `outcomes of a concurrent queue do not wait for each other`() async throws {
        let isOver = Signal()
        let others = DispatchSemaphore(value: 0)
        let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
        for _ in 0..<3 {
            try send(on: concurrent) { call in
                guard call == 0 else {
                    others.signal()
                    return
                }
                for _ in 0..<2 { #expect(others.wait(timeout: .now() + 30) == .success) }
                isOver.fire()
            }
        }
        for hop in transport.hops { Ending.small.end(hop) }
        await isOver.wait()
        #expect(delivered.withLock { $0 }.count == 3)
    }

    /// The code of others that runs on the thread of a transport.
    enum Foreign: CaseIterable { case plugin, endpoint, log, validation, wrapper }

    @Test(arguments: Foreign.allCases)
    func `nothing waits for the code of others, which can wait for what has ended`(foreign: Foreign) async throws {
        let isOver = DispatchSemaphore(value: 0)
        let isDelivered = Locked(false)
        // A call that has ended while its task was suspended, and another one that has just ended.
        let held = teapot.get("tea", timeoutInterval: .infinity) { _ in isOver.signal() }
        held?.suspend()
        let first = try #require(transport.hops.last)
        let second = try send { _ in isOver.signal() }
        let work: @Sendable () -> Void = {
            held?.resume()
            let ends = (0..<2).map { _ in isOver.wait(timeout: .now() + 30) }
            isDelivered.withLock { $0 = ends.allSatisfy { $0 == .success } }
        }
        let transport: any Transport =
            foreign == .wrapper ? WorkingTransport(base: transport, work: work) : transport
        let client = Teapot(
            baseURL: teapot.baseURL,
            defaultDeliveryQueue: DispatchQueue(label: "other"),
            transport: transport
        )
        switch foreign {
        case .plugin: client.plugins = [WorkingPlugin(work: work)]
        case .log: client.logger = Logger(level: .incomingData) { _ in work() }
        case .validation: client.validate = { _ in work() }
        case .endpoint, .wrapper: break
        }
        if foreign == .endpoint {
            client.send(WorkingEndpoint(work: work)) { _ in }
        } else {
            client.get("tea", timeoutInterval: .infinity) { _ in }
        }
        let third = try #require(self.transport.hops.last)
        for hop in [first, second, third] { Ending.small.end(hop) }
        #expect(isDelivered.withLock { $0 })
    }
}

private struct WorkingPlugin: Teapot.Plugin {
    let work: @Sendable () -> Void

    func didReceive(_ result: Result<Teapot.Response, TeapotError>, for request: Teapot.SentRequest) { work() }
}

private struct WorkingEndpoint: Endpoint {
    let work: @Sendable () -> Void
    let request: Teapot.Request = "tea"

    func parse(_ response: Teapot.Response) { work() }
}

private struct WorkingTransport: Transport {
    let base: any Transport
    let work: @Sendable () -> Void

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        base.start(request) { event in
            if event.isFinished { work() }
            receive(event)
        }
    }
}
