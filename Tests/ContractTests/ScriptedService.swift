import LoopbackServer
import Teapot
import TeapotMock
import Testing

/// A service whose answers depend on the request, and a transport to it: a server, or a mock.
struct ScriptedService: Sendable {
    /// A request as it arrived.
    struct Seen: Sendable {
        /// Without the slash at its beginning.
        let path: String
        let header: @Sendable (String) -> String?

        var credential: String? { header("Authorization") }
    }

    let baseURL: URL
    let transport: any Transport
    private let seen: @Sendable () -> [Seen]

    /// - Parameters:
    ///   - backend: What answers, and the transport.
    ///   - answer: The answer to a request of one path component.
    /// - Throws: When there is no server.
    init(_ backend: Backend, answer: @escaping @Sendable (Seen) -> ScriptedAnswer) throws {
        if backend == .mock {
            let mock = MockTeapot(strictIn: .module)
            try mock.overrideEndPoint(":path") { answer(Self.seen($0)).mocked }
            baseURL = mock.baseURL
            transport = mock.mockTransport
            seen = { mock.requests.map(Self.seen) }
        } else {
            let server = try LoopbackServer { answer(Self.seen($0)).script }
            baseURL = server.baseURL
            transport = backend.transport
            seen = { server.requests.map(Self.seen) }
        }
    }

    private static func seen(_ request: ReceivedRequest) -> Seen {
        Seen(path: String(request.path.dropFirst())) { request.header($0) }
    }

    private static func seen(_ request: RecordedRequest) -> Seen {
        Seen(path: request.url.lastPathComponent) { request.headerFields[$0] }
    }

    /// The requests so far, in order.
    var requests: [Seen] { seen() }

    /// A client of its own, over the transport, or over one that wraps it.
    func client(over transport: (any Transport)? = nil, clock: (any Clock<Duration>)? = nil) -> Teapot {
        let queue = DispatchQueue(label: "contract")
        let teapot = Teapot(
            baseURL: baseURL,
            defaultDeliveryQueue: queue,
            transport: transport ?? self.transport,
            clock: clock
        )
        teapot.timeoutInterval = 60
        return teapot
    }
}
