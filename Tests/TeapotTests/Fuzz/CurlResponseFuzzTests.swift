#if os(Linux)
    import Foundation
    import LoopbackServer
    import TeapotCurl
    import TestTraits
    import Testing

    /// The same responses over `CurlTransport`, those that would end a process with `URLSession` among them.
    @Suite(.firstInTurn, .exitTests)
    struct CurlResponseFuzzTests {
        @Test func `a call ends once, with a documented outcome, whatever the server sends`() async throws {
            let run = FuzzRun("responses over curl", cases: 350)
            await #expect(processExitsWith: .success) { [run = run as FuzzRun] in
                let transport = CurlTransport()
                try await run.check { generator in try await ResponseFuzzCase(&generator).problems(over: transport) }
            }
            run.conclude()
        }
    }
#endif
