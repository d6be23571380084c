import Foundation
import LoopbackServer
import TestTraits
import Testing

@testable internal import Teapot

/// Documents that are read by `JSONScanner` and by `JSONSerialization`.
@Suite(.inTurn, .exitTests)
struct JSONScannerFuzzTests {
    @Test func `what is read is the same as with Foundation, and so is what is refused`() async throws {
        let run = FuzzRun("documents", cases: 2_000)
        await #expect(processExitsWith: .success) { [run = run as FuzzRun] in
            try await run.check { generator in
                JSONComparison.problems(JSONDocument(&generator).data)
            }
        }
        run.conclude()
    }
}
