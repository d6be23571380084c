import Teapot
import Testing

/// The behavior that Teapot relies on in a `Transport`: one row of a table, which every transport is tested with.
///
/// Each row sends a few requests to a server with httpbin's routes. Rows can be checked at the same time.
struct TransportBehavior: Sendable, CustomTestStringConvertible {
    /// The expectation in words: `a redirect is not followed`
    let testDescription: String

    private let run: @Sendable (TransportTrial) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (TransportTrial) async throws -> Void) {
        testDescription = name
        self.run = run
    }

    /// The whole table: first what is reported of an exchange, then the rest, which is built on that.
    static let all = required + codings

    /// The rows for a transport that asks servers not to compress.
    static let required: [TransportBehavior] =
        events + responses + requests + requestBodies + responseBodies + cancellation + concurrency

    /// Checks a transport against a server that answers as httpbin does.
    func check(against server: URL, _ transport: any Transport) async throws {
        try await run(TransportTrial(transport: transport, server: server))
    }
}
