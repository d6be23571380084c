import Foundation
import LoopbackServer
import TestSupport
import TestTraits
import Testing

/// Responses of every kind, damaged in every way, and calls of every kind.
@Suite(.firstInTurn, .exitTests)
struct ResponseFuzzTests {
    @Test func `a call ends once, with a documented outcome, whatever the server sends`() async throws {
        let run = FuzzRun("responses", cases: 350)
        await #expect(processExitsWith: .success) { [run = run as FuzzRun] in
            let before = try #require(ProcessResources.current).descriptors
            var leftOut: [FatalResponse: Int] = [:]
            try await run.check { generator in
                let call = ResponseFuzzCase(&generator)
                let response = call.response
                if let fatal = FatalResponse(response.bytes, isReset: response.isReset) {
                    leftOut[fatal, default: 0] += 1
                    return []
                }
                return try await call.problems()
            }
            // Sessions are invalidated in the background; a dozen may still be at it.
            let after = try #require(ProcessResources.current).descriptors
            #expect(after < before + 60, "\(run.name), seed \(run.seed): descriptors leak")
            let count = leftOut.values.reduce(0, +)
            #expect(
                run.cases.count == 1 || count < run.cases.count / 4,
                "\(run.name), seed \(run.seed): left out \(leftOut)"
            )
        }
        run.conclude()
    }
}
