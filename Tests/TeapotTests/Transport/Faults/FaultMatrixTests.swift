import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

#if canImport(FoundationNetworking)
    /// Faults of servers and their outcomes, in the shapes of a call by turns.
    ///
    /// Each table has a process of its own, where no other test holds up the threads: the silent rows are about time.
    @Suite(.inTurn, .exitTests)
    struct FaultMatrixTests {
        static let tables: [String: [Fault]] = [
            "connections": Fault.connections + Fault.mended,
            "closed": Fault.closed,
            "reset": Fault.reset,
            "silent": Fault.silent,
            "status lines": Fault.statusLines,
            "headers": Fault.headers,
            "framings": Fault.framings,
            "bodiless": Fault.bodiless,
            "encodings": Fault.encodings,
            "redirects": Fault.redirects,
        ]

        @Test(arguments: tables.keys.sorted())
        func `every fault has its outcome, once`(table: String) async throws {
            await #expect(processExitsWith: .success) { [table] in
                let runs = FaultRun.runs(of: try #require(FaultMatrixTests.tables[table]))
                #expect(await FaultRun.countPassed(runs) == runs.count)
            }
        }
    }
#endif
