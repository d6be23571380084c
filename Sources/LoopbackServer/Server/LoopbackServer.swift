package import Foundation

/// A small HTTP/1.1 server on 127.0.0.1 that answers in the shapes of httpbin, or with scripted bytes.
///
/// It runs until it is released: dropping the last reference stops it.
///
/// It serves the example, the benchmark and the tests of this package. It is not a product, and supports only the HTTP that they need.
package final class LoopbackServer: Sendable {
    let core: ServerCore
    private let address: Address

    /// Where a server listens.
    package enum Address: Sendable {
        /// At 127.0.0.1.
        case ipv4
        /// At ::1.
        case ipv6
        /// At a path where nothing is yet.
        case unixSocket(String)
    }

    /// The port, picked by the system.
    package let port: Int

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - address: Where it listens.
    ///   - scripts: The first connection runs the first script, and so on. Connections without a script get the routes.
    ///   - recordsRequests: Whether ``requests`` keeps what comes in. A benchmark says `false`, so that memory does not grow.
    ///   - stored: The bodies for paths such as `/a.json`, in place of routes, for every method except `HEAD`.
    ///   - fault: What the server does once it has read a request, instead of answering by the routes; `nil` for the routes.
    /// - Throws: An error if no port or no descriptor is left.
    package init(
        at address: Address = .ipv4,
        scripts: [Script] = [],
        recordsRequests: Bool = true,
        stored: [String: StoredAnswer] = [:],
        fault: @escaping @Sendable (ReceivedRequest) -> Script? = { _ in nil }
    ) throws {
        core = try ServerCore(
            at: address,
            scripts: scripts,
            recordsRequests: recordsRequests,
            stored: stored,
            fault: fault
        )
        self.address = address
        port = core.port
        core.start()
    }

    deinit {
        core.stop()
    }

    /// `http://127.0.0.1:PORT` or `http://[::1]:PORT`, without a slash at the end; `http://localhost` for a Unix socket.
    package var baseURL: URL {
        var components = URLComponents()
        components.scheme = "http"
        switch address {
        case .ipv4: (components.host, components.port) = ("127.0.0.1", port)
        case .ipv6: (components.host, components.port) = ("[::1]", port)
        case .unixSocket: components.host = "localhost"
        }
        // These components always make a URL; the other side only spares a trap.
        return components.url ?? URL(fileURLWithPath: "/")
    }

    /// Everything received so far, in the order it was complete.
    package var requests: [ReceivedRequest] { core.requests }

    /// How many bytes ``Script/Step/stall`` has thrown away so far.
    package var discardedBytes: Int { core.discardedBytes }

    /// Suspends until at least `count` requests came in, the server stopped, or the task was cancelled.
    ///
    /// - Returns: ``requests`` at that time.
    package func received(_ count: Int) async -> [ReceivedRequest] {
        await core.requestCounter.reaches(count)
        return core.requests
    }

    /// Queues a script: the next connection without one runs it.
    ///
    /// A client that keeps a connection open sends on that one first, which keeps its script or its routes.
    package func run(_ script: Script) {
        core.run(script)
    }

    /// Suspends until `count` scripts ran to their end and their connections were closed, the server stopped, or the task was
    /// cancelled. A script that stops early, as the client hung up, has ended too.
    package func scriptsFinished(_ count: Int) async {
        await core.scriptCounter.reaches(count)
    }

    /// Lets one ``Script/Step/waitForRelease`` continue: one that waits now, or otherwise the next.
    package func release() {
        core.release()
    }

    /// Closes the listener and every connection, and returns when the server's threads are done. More calls do nothing.
    package func stop() {
        core.stop()
    }
}
