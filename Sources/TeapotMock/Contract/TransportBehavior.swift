public import Teapot

/// What Teapot relies on in a `Transport`, row by row: a table to hold a transport of your own against.
///
/// Each row sends a few requests to a server that answers as httpbin does (from PyPI, or its container), and throws a
/// ``Violation`` when the transport does something else than Teapot expects. Neither XCTest nor Swift Testing is needed, and
/// either will do:
///
/// ```swift
/// @Test(arguments: TransportBehavior.all)
/// func transport(behavior: TransportBehavior) async throws {
///     try await behavior.check(against: server) { MyTransport() }
/// }
/// ```
///
/// Rows can be checked at the same time. In the server's place may be any that has httpbin's routes.
public struct TransportBehavior: Sendable, Identifiable, CustomStringConvertible {
    /// What is expected, in words: `a redirect is not followed`
    public let name: String

    private let run: @Sendable (TransportTrial) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (TransportTrial) async throws -> Void) {
        self.name = name
        self.run = run
    }

    /// The same as ``name``, which no two rows share.
    public var id: String { name }

    /// The same as ``name``.
    public var description: String { name }

    /// The whole table: first what is reported of an exchange, then the rest, which is built on that.
    public static let all: [TransportBehavior] =
        events + responses + requests + requestBodies + responseBodies + cancellation + concurrency + client

    /// Checks a transport.
    ///
    /// - Parameters:
    ///   - server: The base URL of a server that answers as httpbin does, such as `http://127.0.0.1:8000`.
    ///   - limit: How long to wait for anything before it counts as hanging. No row needs more than a few seconds.
    ///   - makeTransport: Makes the transport. It is called once.
    /// - Throws: What the transport does wrong; the first thing, if there are several.
    public func check(
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

    /// Checks a transport against the whole table, one row after the other.
    ///
    /// - Parameters:
    ///   - server: The base URL of a server that answers as httpbin does, such as `http://127.0.0.1:8000`.
    ///   - limit: How long to wait for anything before it counts as hanging.
    ///   - makeTransport: Makes a transport for each row.
    /// - Returns: What the transport does wrong, in the order of the table, at most one for each row; empty if it does nothing
    ///   wrong.
    public static func violations(
        against server: URL,
        within limit: Duration = .seconds(30),
        _ makeTransport: @Sendable () throws -> any Transport
    ) async -> [Violation] {
        var violations: [Violation] = []
        for behavior in all {
            do {
                try await behavior.check(against: server, within: limit, makeTransport)
            } catch {
                violations.append(error)
            }
        }
        return violations
    }
}
