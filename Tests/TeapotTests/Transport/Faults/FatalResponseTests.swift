import Foundation
import TestSupport
import TestTraits
import Testing

#if canImport(FoundationNetworking)
    /// Pins what ends the process on Linux, each in a process of its own.
    @Suite(.inTurn, .exitTests)
    struct FatalResponseTests {
        /// If this fails because the process survives, the toolchain has fixed the defect: move the row of `Fault.fatal` to where such
        /// faults are, and take the line out of FoundationNetworking.md.
        @Test(arguments: brief(Fault.fatal.indices) { Fault.fatal[$0].name })
        func `the process ends`(row: Brief<Int>) async throws {
            let child = await #expect(
                processExitsWith: .failure,
                observing: [\.standardOutputContent, \.standardErrorContent]
            ) {
                [index = row.value as Int] in
                let fault = Fault.fatal[index]
                let isAsExpected = await FaultRun(fault: fault, shape: fault.shapes[0]).passes()
                print("survived, and \(isAsExpected ? "as expected" : "with another outcome")")
            }
            let fault = Fault.fatal[row.value]
            let result = try #require(child, "\(fault.name)")
            let output = String(decoding: result.standardOutputContent, as: UTF8.self)
            #expect(!output.contains("survived"), "\(fault.name)")
            // It is FoundationNetworking that traps, by the instruction of the processor that Swift has for it.
            #expect([.signal(SIGILL), .signal(SIGTRAP)].contains(result.exitStatus), "\(fault.name)")
            if !Fault.fatalLengths.contains(where: { $0.name == fault.name }) {
                let error = String(decoding: result.standardErrorContent, as: UTF8.self)
                #expect(error.contains(/FoundationNetworking\/.*Fatal error/), "\(fault.name): \(error)")
            }
        }
    }
#endif
