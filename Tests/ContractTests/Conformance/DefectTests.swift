import LoopbackServer
import Teapot
import TestTraits
import Testing
import TransportConformance

/// The table reports transports that are wrong. `TransportBehaviorTests` has those that are right.
@Suite(.timeLimit(.minutes(10)), .inTurn)
struct DefectTests {
    private static let server = Result { try LoopbackServer() }

    private func violation(of row: String, by defect: Defect) async throws -> TransportBehavior.Violation? {
        let behavior = try #require(TransportBehavior.all.first { $0.name == row }, "there is no row \(row)")
        let server = try Self.server.get().baseURL
        return await #expect(throws: TransportBehavior.Violation.self, "\(row)") {
            try await behavior.check(against: server, within: defect.limit, defect.makeTransport)
        }
    }

    @Test(arguments: Defect.all)
    func `a defect is reported by its rows`(defect: Defect) async throws {
        for row in defect.rows {
            let violation = try await violation(of: row, by: defect)
            #expect(violation?.behavior == row)
        }
    }

    @Test func `each row reports a defect, and has a name of its own`() {
        let names = TransportBehavior.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(Defect.all.flatMap(\.rows)) == Set(names))
    }
}
