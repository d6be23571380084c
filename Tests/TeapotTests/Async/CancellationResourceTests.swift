import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// The resources that cancelled calls leave behind.
@Suite(.inTurn, .exitTests)
struct CancellationResourceTests {
    /// A process of its own, since the other tests' descriptors would be counted too.
    @Test func `nothing is left behind`() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer(recordsRequests: false)
            // A connection ends in the background: a few more calls give it the time. Bounded, and in the end it counts.
            func settled(
                within rounds: Int,
                _ isEnough: (ProcessResources) -> Bool
            ) async throws -> ProcessResources {
                let teapot = Teapot(baseURL: server.baseURL)
                for _ in 0..<rounds {
                    let now = try #require(ProcessResources.current)
                    if isEnough(now) { return now }
                    try await teapot.get("delay/0.01", timeoutInterval: 60)
                }
                return try #require(ProcessResources.current)
            }
            let count = min(CancellationStressTests.count, 4_000)
            _ = try await CancellationStressTests.race(count / 2, seed: 1, server: server)
            let before = try await settled(within: 50) { _ in false }
            _ = try await CancellationStressTests.race(count, seed: 2, server: server)
            let after = try await settled(within: 200) { $0.descriptors <= before.descriptors }
            #expect(after.descriptors <= before.descriptors, "\(before), then \(after)")
            // Dispatch has up to 64 workers, and keeps busy ones.
            #expect(after.threads <= before.threads + 64, "\(before), then \(after)")
            #expect(after.memory <= before.memory + 8_000, "\(before), then \(after)")
        }
    }
}
