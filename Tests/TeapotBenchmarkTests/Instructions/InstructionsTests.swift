import TestTraits
import Testing

@testable import TeapotBenchmark

@Suite(.inTurn)
struct InstructionsTests {
    @Test(
        arguments: [
            ("fn=main\n3 7\ntotals: 1234\n", 1_234), ("totals: 1\ntotals: 2\n", 2), ("summary: 5\n", nil), ("", nil),
        ]
    ) func `the total is in the last line`(profile: String, total: Int?) {
        #expect(Instructions.total(of: profile) == total)
    }

    @Test func `the names are not those of cases`() {
        #expect(CountedCall.all.allSatisfy { Case(named: $0.name) == nil })
    }
}
