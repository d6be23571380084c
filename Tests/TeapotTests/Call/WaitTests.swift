import Foundation
import TestSupport
import TestTraits
import Testing

@testable internal import Teapot

@Suite(.inTurn)
struct WaitTests {
    /// A call that has not begun.
    private let call: Call

    init() throws {
        let url = try #require(URL(string: "http://api.example"))
        let teapot = Teapot(baseURL: url, transport: ManualTransport { $0.answer(200) })
        let request = { () throws(TeapotError) in Teapot.Request(path: "tea") }
        call = teapot.call(for: request, of: .thread(Condition()))
    }

    private var event: Call.Event? { call.state.withLock { $0.takeHeld() } }

    @Test func `nobody waits any more for a credential that has not come in time`() {
        let withdrawals = Locked(0)
        let credential = PendingCredential { _ in withdrawals.withLock { $0 += 1 } }
        let wait = Wait(for: .credential(credential, timeout: .zero), of: call)
        wait.start()
        #expect(withdrawals.withLock { $0 } == 1)
        #expect(event.map { if case .failure = $0 { true } else { false } } == true)
        wait.cancel()
        #expect(event == nil, "it has one event")
    }

    @Test func `a wait that is cancelled hands that over, once`() {
        let wait = Wait(for: .credential(PendingCredential { _ in }, timeout: nil), of: call)
        wait.start()
        #expect(event == nil)
        wait.cancel()
        #expect(event.map { if case .cancelled = $0 { true } else { false } } == true)
        wait.cancel()
        #expect(event == nil, "it has one event")
    }

    @Test func `a wait that is given up before it starts leaves nothing behind`() {
        weak var kept: Wait?
        do {
            let wait = Wait(for: .credential(PendingCredential { _ in }, timeout: nil), of: call)
            kept = wait
            wait.take()
            wait.start()
        }
        #expect(kept == nil)
    }
}
