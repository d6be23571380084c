import Foundation
import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

#if os(Linux)
    /// Redirects that have a body, which nobody reads.
    @Suite(.inTurn, .exitTests)
    struct RedirectBodyTests {
        /// FoundationNetworking keeps the body of a redirect to itself until it is whole, in time that grows with the square of
        /// its length, and holds up all sessions meanwhile. The timeout ends the call, if nothing else.
        @Test func `a call ends though a redirect has a large body`() async {
            await #expect(processExitsWith: .success) {
                let server = try redirect(withBody: 32 << 20)
                let teapot = Teapot(baseURL: server.baseURL)
                teapot.maximumResponseSize = limit
                let error = await thrown { () throws(TeapotError) in
                    try await teapot.send(Teapot.Request(path: "bomb").with { $0.timeoutInterval = 1 })
                }
                #expect(error?.type == .noResponse || error?.type == .responseTooLarge)
            }
        }

        @Test func `a redirect with a body past the limit is followed`() async throws {
            let server = try redirect(withBody: limit + 1)
            let teapot = Teapot(baseURL: server.baseURL)
            teapot.maximumResponseSize = limit
            try await teapot.send(Teapot.Request(path: "bomb").with { $0.timeoutInterval = 60 })
            #expect(server.requests.map(\.path) == ["/bomb", "/get"])
        }
    }

    private let limit = 1_000_000

    private func redirect(withBody size: Int) throws -> LoopbackServer {
        let fields = "Location: /get\r\nContent-Length: \(size)\r\nConnection: close\r\n"
        let head = "HTTP/1.1 302 Found\r\n\(fields)\r\n"
        return try LoopbackServer(scripts: [Script([.readRequest, .send(head), .send(Data(count: size))])])
    }
#endif
