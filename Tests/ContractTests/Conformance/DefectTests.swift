import LoopbackServer
import Teapot
import TestTraits
import Testing
import TransportConformance

/// The table reports transports that are wrong. `TransportBehaviorTests` has those that are right.
@Suite(.inTurn)
struct DefectTests {
    @Test(arguments: Defect.all)
    func `a defect is reported by its rows`(defect: Defect) async throws {
        let server = try Backend.loopback.baseURL()
        for row in defect.rows {
            let behavior = try #require(Self.row(row), "there is no one row \(row)")
            let violation = await #expect(throws: TransportBehavior.Violation.self, "\(behavior)") {
                try await behavior.check(against: server, within: defect.limit, defect.makeTransport)
            }
            #expect(violation?.behavior == behavior.name)
        }
    }

    @Test func `each row reports a defect, and has a name of its own`() {
        let names = TransportBehavior.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(Defect.all.flatMap(\.rows).compactMap { Self.row($0)?.name }) == Set(names))
    }

    private static func row(_ beginning: String) -> TransportBehavior? {
        let rows = TransportBehavior.all.filter { $0.name.hasPrefix(beginning) }
        return rows.count == 1 ? rows[0] : nil
    }
}
