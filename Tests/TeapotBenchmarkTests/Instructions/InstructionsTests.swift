import TestTraits
import Testing

@testable import TeapotBenchmark

@Suite("Counted instructions", .timeLimit(.minutes(10)), .inTurn)
struct InstructionsTests {
    @Test(
        arguments: [
            ("fn=main\n3 7\ntotals: 1234\n", 1_234), ("totals: 1\ntotals: 2\n", 2), ("summary: 5\n", nil), ("", nil),
        ]
    ) func theTotalIsInTheLastLine(profile: String, total: Int?) {
        #expect(Instructions.total(of: profile) == total)
    }

    @Test func theNamesAreNotThoseOfCases() {
        #expect(CountedCall.all.allSatisfy { Case(named: $0.name) == nil })
    }
}
