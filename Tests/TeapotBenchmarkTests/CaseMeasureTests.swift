import Foundation
import Teapot
import TestTraits
import Testing

@testable import TeapotBenchmark

@Suite(.inTurn)
struct CaseMeasureTests {
    /// The sides in the order in which they were run, as names.
    private func order(seed: Int, rounds: Int) throws -> [[String]] {
        let names = Locked<[String]>([])
        func maker(_ name: String) -> Case.Maker {
            { _ in .steps { names.withLock { $0.append(name) } } }
        }
        let measured = Case(
            name: "order",
            summary: "",
            goal: nil,
            requests: 1,
            makers: Sides(baseline: maker("baseline"), teapot: maker("teapot"), others: [.curl: maker("curl")])
        )
        let server = try #require(URL(string: "http://127.0.0.1"))
        // The host may take time away: a disturbed round is measured again.
        _ = try measured.measure(from: server, rounds: rounds, try Arguments(["--seed", "\(seed)"])) { _ in }
        let all = names.withLock { $0 }
        return stride(from: 0, to: all.count, by: 3).map { Array(all[$0..<$0 + 3]) }
    }

    @Test func `in each round, each side has one turn`() throws {
        let rounds = try order(seed: 1, rounds: 20)
        #expect(rounds.count >= 21)
        #expect(rounds.allSatisfy { Set($0) == ["baseline", "teapot", "curl"] })
        #expect(Set(rounds).count > 1)
    }

    @Test func `the seed determines the order`() throws {
        #expect(try order(seed: 7, rounds: 10).prefix(11) == order(seed: 7, rounds: 10).prefix(11))
        #expect(try order(seed: 7, rounds: 10).prefix(11) != order(seed: 8, rounds: 10).prefix(11))
    }

    @Test func `disturbed rounds are measured again`() {
        var calls = 0
        let rounds = Rounds(count: 4) { number in
            calls += 1
            return (value: number * 10 + calls, isDisturbed: calls == 2 || calls == 3)
        }
        #expect(rounds.values == [11, 24, 35, 46])
        #expect(rounds.repeated == 2)
        #expect(rounds.disturbed == 0)
    }

    @Test func `at most as many rounds as there are are measured again`() {
        var calls = 0
        let rounds = Rounds(count: 3) { number in
            calls += 1
            return (value: number, isDisturbed: true)
        }
        #expect(calls == 6)
        #expect(rounds.values == [1, 2, 3])
        #expect(rounds.repeated == 3)
        #expect(rounds.disturbed == 3)
    }

    @Test func `stolen time is the eighth figure of all cores`() {
        let text = "cpu  5834117 3302 1370188 2721681 185268 0 41796 19847 0 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n"
        #expect(StolenTime.seconds(in: text) == 19_847 / Double(sysconf(Int32(_SC_CLK_TCK))))
        #expect(StolenTime.seconds(in: "cpu 1 2 3 4") == nil)
        #expect(StolenTime.seconds(in: "") == nil)
    }

    private static let stolen: [(Double?, Double?, Bool)] = [
        (1, 1.02, false), (1, 1.03, true), (nil, 1.03, false), (1, nil, false),
    ]

    @Test(arguments: stolen)
    func `more than 2 % of stolen time disturbs a round`(first: Double?, last: Double?, isDisturbing: Bool) {
        #expect(StolenTime.isDisturbing(from: first, to: last, in: 1.01) == isDisturbing)
    }

    #if os(Linux)
    #endif
}
