@testable import LoopbackServer
@testable import Teapot
import TeapotMock

/// A `MockTeapot` as a transport. It answers by the routes of the loopback server, and there is no server.
struct RoutedMock: Transport {
    /// The rows of the table that say nothing of a mock, and why.
    private static let unfit = [
        "a body comes while it is sent, and cancelling in its midst ends the exchange": "its bodies come in one piece",
        "an exchange that is held back goes on when asked to": "its bodies come in one piece",
        "gzip and deflate are decompressed": "it is given bodies as they are after that",
        "cancelling many times, from several threads, ends the exchange once": "the call sees to that",
        "cancelling one exchange leaves others alone": "it is the call that waits for a delayed answer",
    ]

    static let rows = TransportBehavior.all.filter { unfit[$0.name] == nil }

    private let mock: any Transport

    /// - Parameter server: The base URL of the routes. Nobody listens anywhere else.
    /// - Throws: Nothing: the one override is sound.
    init(server: URL) throws {
        let teapot = MockTeapot(strictIn: .main)
        try teapot.overrideEndPoint(":any") { request in
            guard request.url.port == server.port else { return .failure(.cannotConnectToHost) }
            return MockResponse.answer(of: Router.response(to: ReceivedRequest(request)))
        }
        mock = teapot.transport
    }

    var answersAtOnce: Bool { mock.answersAtOnce }

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        mock.start(request, receive: receive)
    }
}

extension ReceivedRequest {
    /// A request as a server gets it, with what HTTP adds.
    fileprivate init(_ request: RecordedRequest) {
        let (path, query) = (request.url.path(percentEncoded: true), request.url.query(percentEncoded: true))
        let added = [("Host", "127.0.0.1:\(request.url.port ?? 80)"), ("Content-Length", "\(request.body.count)")]
        self.init(
            method: request.method.rawValue,
            target: path + (query.map { "?\($0)" } ?? ""),
            path: path,
            query: query,
            version: "HTTP/1.1",
            headers: added + request.headerFields.map { ($0.name, $0.value) },
            body: request.body,
            bodyDigest: nil,
            head: ""
        )
    }
}

extension MockResponse {
    fileprivate static func answer(of route: Response) -> MockResponse {
        let body: Data
        switch route.body {
        case .whole(let data): body = data
        case .chunked(let pieces): body = Data(pieces.joined())
        case .dripped, .generated: return .failure(.cannotDecodeContentData)
        }
        let fields = Dictionary(route.headers.map { ($0.name, $0.value) }) { "\($0),\($1)" }
        let status = MockTeapot.StatusCode(rawValue: route.status)
        return .data(body, contentType: "", status: status, headerFields: fields).delayed(by: .seconds(route.delay))
    }
}
