internal import LoopbackServer
internal import TestTraits
internal import Testing

/// Calls that are suspended, resumed and cancelled, redirected, answered and cut off in a random order.
@Suite(.timeLimit(.minutes(10)), .firstInTurn, .exitTests)
struct ScheduleFuzzTests {
    @Test func `each step of a call comes to what the model says`() async throws {
        let run = FuzzRun("schedules", cases: 2_000)
        await #expect(processExitsWith: .success) { [run = run as FuzzRun] in
            try await run.check { generator in try await ScheduleFuzzCase(&generator).problems() }
        }
        run.conclude()
    }

    @Test func `a call that several threads meddle with ends once and is let go of`() async throws {
        let run = FuzzRun("races", cases: 800)
        await #expect(processExitsWith: .success) { [run = run as FuzzRun] in
            try await run.check { generator in try await RaceFuzzCase(&generator).problems() }
        }
        run.conclude()
    }
}
