import LoopbackServer
import TestTraits
import Testing

/// The parsers of what servers and files say.
@Suite(.firstInTurn, .exitTests)
struct ParserFuzzTests {
    @Test func `no server's text traps or breaks a rule`() async throws {
        let run = FuzzRun("parsers", cases: 2_000)
        await #expect(processExitsWith: .success) { [run = run as FuzzRun] in
            try await run.check { generator in
                let parser = generator.pick(ParserFuzzCase.allCases)
                return try parser.problems(&generator)
            }
        }
        run.conclude()
    }
}
