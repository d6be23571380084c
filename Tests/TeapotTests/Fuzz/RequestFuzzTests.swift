import Foundation
import LoopbackServer
import TestTraits
import Testing

/// Paths, queries, header fields and payloads of the nastiest text.
@Suite(.firstInTurn, .exitTests)
struct RequestFuzzTests {
    @Test func `a request is refused, or sent as intended`() async throws {
        let run = FuzzRun("requests", cases: 1_000)
        await #expect(processExitsWith: .success) { [run = run as FuzzRun] in
            let server = try LoopbackServer()
            try await run.check { generator in
                let isForServer = generator.oneIn(20)
                let origin = "http://127.0.0.1:\(server.port)"
                let request = RequestFuzzCase(origin: isForServer ? origin : nil, &generator)
                let (problems, sent) = request.sent()
                guard isForServer, let sent else { return problems }
                return problems + (await request.arrival(of: sent, at: server))
            }
        }
        run.conclude()
    }
}
