import Foundation
import TestSupport
import TestTraits
import Testing

@testable internal import Teapot

@Suite(.inTurn)
struct WaitTests {
    /// A call that is over.
    private let call: Call

    init() throws {
        let url = try #require(URL(string: "http://api.example"))
        let teapot = Teapot(baseURL: url, transport: ManualTransport { $0.answer(200) })
        let request = { () throws(TeapotError) in Teapot.Request(path: "tea") }
        call = teapot.begin(request, .atOnce) { _, _ in {} }.call
    }

    @Test func `nobody waits any more for a credential that has not come in time`() {
        let withdrawals = Locked(0)
        let credential = PendingCredential { withdrawals.withLock { $0 += 1 } }
        let wait = Wait(for: .credential(credential, timeout: .zero), of: call)
        wait.start()
        #expect(withdrawals.withLock { $0 } == 1)
        #expect(!wait.cancel())
    }

    @Test func `a wait that is cancelled before it starts leaves nothing behind`() {
        weak var kept: Wait?
        do {
            let wait = Wait(for: .credential(PendingCredential {}, timeout: nil), of: call)
            kept = wait
            #expect(wait.cancel())
            wait.start()
        }
        #expect(kept == nil)
    }
}
