import LoopbackServer
import TestTraits
import Testing

/// Calls that are suspended, resumed and cancelled, redirected, answered and cut off in a random order.
@Suite(.firstInTurn, .exitTests)
struct ScheduleFuzzTests {
    @Test func `each step of a call has the outcome of the model`() async throws {
        let run = FuzzRun("schedules", cases: 1_000)
        await #expect(processExitsWith: .success) { [run = run as FuzzRun] in
            try await run.check { generator in try await ScheduleFuzzCase(&generator).problems() }
        }
        run.conclude()
    }

    @Test func `a call that several threads disturb ends once and is released`() async throws {
        let run = FuzzRun("races", cases: 400)
        await #expect(processExitsWith: .success) { [run = run as FuzzRun] in
            try await run.check { generator in try await RaceFuzzCase(&generator).problems() }
        }
        run.conclude()
    }
}
