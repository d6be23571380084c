import Testing

#if canImport(FoundationNetworking)
    /// Pins what ends the process on Linux, each in a process of its own.
    @Suite(.timeLimit(.minutes(5)))
    struct FatalResponseTests {
        /// If this fails as the process survives, the toolchain has mended it: move the row of `Fault.fatal` to where such faults
        /// are, and take the line out of TeapotOnLinux.
        @Test(arguments: Fault.fatal.indices)
        func `the process ends`(index: Int) async {
            let child = await #expect(processExitsWith: .failure, observing: [\.standardOutputContent]) { [index] in
                let isAsExpected = await FaultRun(fault: Fault.fatal[index], shape: .closure).passes()
                print("survived, and \(isAsExpected ? "as expected" : "with another outcome")")
            }
            let output = child.map { String(decoding: $0.standardOutputContent, as: UTF8.self) }
            #expect(output?.contains("survived") == false, "\(Fault.fatal[index].name)")
        }
    }
#endif
