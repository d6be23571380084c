import Teapot

/// The behavior that Teapot relies on in a `Transport`: one row of a table, which every transport is tested with.
///
/// Each row sends a few requests to a server with httpbin's routes, and throws a ``Violation`` if the transport does something
/// else than Teapot expects. Rows can be checked at the same time.
struct TransportBehavior: Sendable, CustomStringConvertible {
    /// The expectation in words: `a redirect is not followed`
    let name: String

    private let run: @Sendable (TransportTrial) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (TransportTrial) async throws -> Void) {
        self.name = name
        self.run = run
    }

    /// The same as ``name``.
    var description: String { name }

    /// The whole table: first what is reported of an exchange, then the rest, which is built on that.
    static let all: [TransportBehavior] =
        events + responses + requests + requestBodies + responseBodies + cancellation + concurrency

    /// Checks a transport.
    ///
    /// - Parameters:
    ///   - server: The base URL of a server that answers as httpbin does, such as `http://127.0.0.1:8000`.
    ///   - limit: How long to wait for anything before it counts as hanging. No row needs more than a few seconds.
    ///   - makeTransport: Makes the transport. It is called once.
    /// - Throws: What the transport does wrong; the first thing, if there are several.
    func check(
        against server: URL,
        within limit: Duration = .seconds(30),
        _ makeTransport: @Sendable () throws -> any Transport
    ) async throws(Violation) {
        do {
            let transport = try makeTransport()
            try await run(TransportTrial(behavior: name, transport: transport, server: server, limit: limit))
        } catch let violation as Violation {
            throw violation
        } catch {
            throw Violation(
                behavior: name,
                request: nil,
                expected: "no error",
                received: TransportTrial.text(of: error)
            )
        }
    }
}
