import Teapot
import TeapotMock

/// A call without a server, whose instructions and allocations are counted.
///
/// The bodies are as small as can be: the cost of a call itself is counted, and not that of reading its body.
struct CountedCall: Sendable {
    let name: String
    let summary: String
    /// The most instructions that it is to take; `nil` for none.
    let goal: Int?
    let make: Case.Maker

    static let all = [instantGet, mockedGet, decoding, client]

    private static let object = Data(#"{"id":1}"#.utf8)

    private struct Item: Decodable, Sendable {
        let id: Int
    }

    private static let instantGet = CountedCall(
        name: "instant-get",
        summary: "closure GET of {} over a transport that answers at once",
        goal: 35_000
    ) { server in
        let teapot = Teapot.client(of: server, try InstantTransport(server))
        return .calls { completion in
            teapot.get("item") { completion($0.failure()) }
        }
    }

    private static let mockedGet = CountedCall(
        name: "mocked-async-get",
        summary: "async GET of an object of one number from MockTeapot, decoded",
        goal: 45_000
    ) { _ in
        let mock = MockTeapot(strictIn: .main)
        try mock.overrideEndPoint("item", method: .get, with: .json(.data(object)))
        return .tasks { _ = try await mock.get("item", as: Item.self) }
    }

    private static let decoding = CountedCall(
        name: "decoding",
        summary: "JSONDecoder alone with that object, which is a part of the call above",
        goal: nil
    ) { _ in
        let decoder = JSONDecoder()
        return .steps { _ = try decoder.decode(Item.self, from: object) }
    }

    private static let client = CountedCall(
        name: "client",
        summary: "creating and dropping a Teapot",
        goal: 30_000
    ) { server in
        .steps { _ = Teapot(baseURL: server) }
    }
}

/// A transport that answers each request before `start` returns, with the same response.
private struct InstantTransport: Transport {
    private let response: HTTPURLResponse
    private let body = Data("{}".utf8)

    init(_ url: URL) throws {
        let headerFields = ["Content-Type": "application/json"]
        guard
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: headerFields)
        else { throw URLError(.badURL) }
        self.response = response
    }

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        receive(.response(response))
        receive(.data(body))
        receive(.finished(nil))
        return nil
    }
}
