#if os(Linux)
    import Foundation
    import LoopbackServer
    import TeapotCurl
    import TestTraits
    import Testing

    /// The parts of `CurlTransport` that `URLSession` has of its own.
    @Suite(.firstInTurn, .exitTests)
    struct CurlFuzzTests {
        @Test func `a coded body is decoded whole, or is an error`() async throws {
            let run = FuzzRun("bodies over curl", cases: 150)
            await #expect(processExitsWith: .success) { [run = run as FuzzRun] in
                let transport = CurlTransport()
                try await run.check { generator in try await BodyFuzzCase(&generator).problems(over: transport) }
            }
            run.conclude()
        }

        @Test func `an exchange leaves the line once, with all that it has`() async throws {
            let run = FuzzRun("lines over curl", cases: 50)
            await #expect(processExitsWith: .success) { [run = run as FuzzRun] in
                try await run.check { generator in try await LineFuzzCase(&generator).problems() }
            }
            run.conclude()
        }
    }
#endif
