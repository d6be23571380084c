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
            var leftOut = 0
            try await run.check { generator in
                let call = ResponseFuzzCase(&generator)
                let response = call.response
                guard FatalResponse.endsProcess(response.bytes, isReset: response.isReset) else {
                    return try await call.problems()
                }
                leftOut += 1
                return []
            }
            // Sessions are invalidated in the background; a dozen may still be at it.
            let after = try #require(ProcessResources.current).descriptors
            #expect(after < before + 60, "\(run.name), seed \(run.seed): descriptors leak")
            let count = run.cases.count
            #expect(count == 1 || leftOut < count / 4, "\(run.name), seed \(run.seed): left out \(leftOut)")
        }
        run.conclude()
    }
}
