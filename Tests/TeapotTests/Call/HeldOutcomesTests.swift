@testable import Teapot
import TestSupport
import TestTraits
import Testing

/// Outcomes that become ready one after the other, on the thread of a transport.
@Suite(.inTurn)
struct HeldOutcomesTests {
    private let transport = ManualTransport()
    private let queue = DispatchQueue(label: "delivery")
    private let teapot: Teapot
    /// The calls whose outcomes were delivered, in order.
    private let delivered = Locked<[Int]>([])

    init() throws {
        let url = try #require(URL(string: "http://api.example"))
        teapot = Teapot(baseURL: url, defaultDeliveryQueue: queue, transport: transport)
    }

    private func send(
        _ count: Int = 1,
        on queue: DispatchQueue? = nil,
        then: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        for _ in 0..<count {
            let call = transport.hops.count
            teapot.get("tea", timeoutInterval: .infinity, deliveryQueue: queue) { _ in
                delivered.withLock { $0.append(call) }
                then(call)
            }
        }
    }

    /// The outcomes that were in the queue.
    private func deliveredNow() -> [Int] {
        // The first block puts the others into the queue.
        queue.sync {}
        queue.sync {}
        return delivered.withLock { $0 }
    }

    @Test func `outcomes are put into their queue together`() {
        send(3)
        HeldOutcomes.collect {
            for hop in transport.hops { hop.answer(200, body: "{}") }
            #expect(deliveredNow() == [])
        }
        #expect(deliveredNow() == [0, 1, 2])
    }

    @Test func `a call that is cancelled while it is held is not delivered`() {
        send()
        let task = teapot.get("tea", timeoutInterval: .infinity) { _ in delivered.withLock { $0.append(1) } }
        HeldOutcomes.collect {
            for hop in transport.hops { hop.answer(200, body: "{}") }
            task?.cancel()
        }
        #expect(deliveredNow() == [0])
    }

    @Test func `outcomes of a concurrent queue do not wait for each other`() async {
        let isOver = Signal()
        let others = DispatchSemaphore(value: 0)
        send(3, on: DispatchQueue(label: "concurrent", attributes: .concurrent)) { call in
            guard call == 0 else {
                others.signal()
                return
            }
            for _ in 0..<2 { #expect(others.wait(timeout: .now() + 30) == .success) }
            isOver.fire()
        }
        HeldOutcomes.collect { for hop in transport.hops { hop.answer(200, body: "{}") } }
        await isOver.wait()
        #expect(delivered.withLock { $0 }.count == 3)
    }

    @Test func `a limited number of outcomes is held, for one queue`() {
        send(9)
        send(on: DispatchQueue(label: "other"))
        HeldOutcomes.collect {
            for hop in transport.hops.dropLast() { hop.answer(200, body: "{}") }
            #expect(deliveredNow() == Array(0..<8))
            transport.hops.last?.answer(200, body: "{}")
            #expect(deliveredNow() == Array(0..<9))
        }
    }

    /// What the next call does before its own outcome is ready.
    enum Work: CaseIterable {
        case parsesBody
        case fails
        case breaksOff
        case tellsPlugin
        case writesLog
        case validates
        case makesValue
    }

    @Test(arguments: Work.allCases) func `an outcome does not wait for work of another call`(work: Work) throws {
        let seen = Locked<[Int]?>(nil)
        let look: @Sendable () -> Void = { seen.withLock { $0 = deliveredNow() } }
        send()
        switch work {
        case .parsesBody, .fails, .breaksOff: send()
        case .tellsPlugin:
            teapot.plugins = [LookingPlugin(look: look)]
            send()
        case .writesLog:
            teapot.logger = Logger(level: .incomingData) { _ in look() }
            send()
        case .validates:
            teapot.validate = { _ in look() }
            send()
        case .makesValue: teapot.send(LookingEndpoint(look: look), deliveryQueue: queue) { _ in }
        }
        HeldOutcomes.collect {
            transport.hops[0].answer(200, body: "{}")
            #expect(deliveredNow() == [])
            let text = String(repeating: "a", count: 3_000)
            if work == .breaksOff {
                transport.hops[1].respond(200)
                transport.hops[1].report(.finished(URLError(.networkConnectionLost)))
            } else {
                let body = work == .parsesBody ? "[\"\(text)\"]" : "{}"
                transport.hops[1].answer(work == .fails ? 404 : 200, body: body)
            }
            #expect(deliveredNow().first == 0)
        }
        switch work {
        case .parsesBody, .fails, .breaksOff: #expect(deliveredNow() == [0, 1])
        case .tellsPlugin, .writesLog, .validates, .makesValue: #expect(seen.withLock { $0 } == [0])
        }
    }

    @Test(arguments: [false, true])
    func `what a plugin or an endpoint sends is not held, so that it can wait for it`(isPlugin: Bool) {
        let isOver = Locked(false)
        let send: @Sendable () -> Void = {
            let end = DispatchSemaphore(value: 0)
            Teapot(baseURL: teapot.baseURL, transport: transport)
                .get("a\nb", deliveryQueue: DispatchQueue(label: "other")) { _ in end.signal() }
            isOver.withLock { $0 = end.wait(timeout: .now() + 30) == .success }
        }
        if isPlugin { teapot.plugins = [LookingPlugin(look: send)] }
        teapot.send(LookingEndpoint(look: { if !isPlugin { send() } })) { _ in }
        HeldOutcomes.collect { transport.hops[0].answer(200, body: "{}") }
        #expect(isOver.withLock { $0 })
    }
}

private struct LookingPlugin: Teapot.Plugin {
    let look: @Sendable () -> Void

    func didReceive(_ result: Result<Teapot.Response, TeapotError>, for request: Teapot.SentRequest) { look() }
}

private struct LookingEndpoint: Endpoint {
    let look: @Sendable () -> Void
    let request: Teapot.Request = "tea"

    func parse(_ response: Teapot.Response) { look() }
}
