import LoopbackServer
import Teapot
import TeapotMock
import TestTraits
import Testing

/// The table for custom transports, against those that are wrong. Those that are right are in `ContractTests`.
@Suite(.timeLimit(.minutes(10)), .inTurn)
struct TransportBehaviorTests {
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
        #expect(TransportBehavior.all.map(\.id) == names)
        #expect(TransportBehavior.all.map(\.description) == names)
    }

    // MARK: - Texts

    static let texts: [(defect: String, text: String)] = [
        (
            "finishes twice",
            "an exchange ends once, and nothing comes after that (GET /get): "
                + "expected finished, once and last, received response, data, finished, finished"
        ),
        (
            "reports a piece before the response",
            "a response comes once, and before its body (GET /get): "
                + "expected response, once and first, received data, response, data, finished"
        ),
        (
            "responds in the name of a server that is not there",
            "a refused connection is an error without a response (GET /get): "
                + "expected no response, received status 502 with 0 bytes and URLError -1004"
        ),
        (
            "follows redirects",
            "a redirect arrives, and is not followed (GET /redirect-to?url=/anything/there&status_code=301): "
                + "expected status 301, received status 200"
        ),
        (
            "sends PATCH as POST",
            "the method arrives as it was given (PATCH /anything): "
                + "expected the method PATCH, received the method POST"
        ),
        (
            "keeps cookies",
            "cookies are shown, and not kept (GET /cookies): "
                + "expected the cookies none, received the cookies tea=green"
        ),
        (
            "sends bodies as text",
            "a body in memory arrives byte for byte (POST /anything): expected the body of 1024 bytes, "
                + "received the body of 2048 bytes, which differs from byte 19 on"
        ),
        (
            "cuts off what comes",
            "a body is whole (GET /range/100000): "
                + "expected the body of 100000 bytes, received the body of 65536 bytes"
        ),
        (
            "does not go on once it was held back",
            "an exchange that is held back goes on when asked to (GET /drip?numbytes=5&duration=1&delay=0): "
                + "expected the first byte, received no response and no end after 0.3 seconds"
        ),
    ]

    @Test(arguments: texts)
    func `a violation says what was asked, expected and received`(expected: (defect: String, text: String)) async throws
    {
        let defect = try #require(Defect.all.first { $0.name == expected.defect })
        let violation = try await violation(of: try #require(defect.rows.first), by: defect)
        #expect(violation?.description == expected.text)
    }

    // MARK: - The whole table

    /// What needs no more than any answer.
    static let easy: Set = [
        "an exchange ends once, and nothing comes after that", "a response comes once, and before its body",
        "events come one at a time", "what is said to be sent of a body adds up to it",
        "a response names the URL of its request", "an Authorization field arrives",
        "cancelling after the end does nothing",
    ]

    @Test func `violations of the whole table come in its order`() async throws {
        let server = try #require(URL(string: "http://127.0.0.1:1/"))
        let violations = await TransportBehavior.violations(against: server) { CannedTransport() }
        #expect(violations.map(\.behavior) == TransportBehavior.all.map(\.name).filter { !Self.easy.contains($0) })
        let method = violations.first { $0.behavior == "the method arrives as it was given" }
        #expect(method?.request == "GET /anything")
        #expect(method?.expected == "the request as JSON")
        #expect(method?.received == "3 other bytes")
    }

    @Test func `a transport that cannot be made is a violation of each row`() async throws {
        let server = try #require(URL(string: "http://127.0.0.1:1"))
        let violations = await TransportBehavior.violations(against: server) { throw URLError(.badURL) }
        #expect(violations.count == TransportBehavior.all.count)
        let text = "an exchange ends once, and nothing comes after that: expected no error, received URLError -1000"
        #expect(violations.first?.description == text)
    }
}
