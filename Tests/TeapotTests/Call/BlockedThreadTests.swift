import Teapot
import TestSupport
import TestTraits
import Testing

/// A program that blocks all threads of the global queues.
@Suite(.inTurn, .exitTests)
struct BlockedThreadTests {
    @Test func `timeouts, deadlines and large bodies of closure calls do not wait for blocked threads`() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<600 { DispatchQueue.global().async { DispatchSemaphore(value: 0).wait() } }
            let transport = ManualTransport()
            let queue = DispatchQueue(label: "delivery")
            let url = try #require(URL(string: "http://api.example"))
            let teapot = Teapot(baseURL: url, defaultDeliveryQueue: queue, transport: transport)
            let ends = DispatchSemaphore(value: 0)
            teapot.get("slow", timeoutInterval: 0.1) { _ in ends.signal() }
            var request: Teapot.Request = "long"
            request.deadline = .milliseconds(100)
            teapot.send(request) { _ in ends.signal() }
            teapot.get("large") { _ in ends.signal() }
            transport.hops.last?.answer(200, body: #"{"a": "\#(String(repeating: "b", count: 100_000))"}"#)
            let isInTime = (0..<3).allSatisfy { _ in ends.wait(timeout: .now() + 60) == .success }
            // Not by returning, which needs one of the blocked threads.
            exit(isInTime ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
