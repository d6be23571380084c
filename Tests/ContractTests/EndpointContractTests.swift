import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// An enum client and a struct client of the same API, whatever answers them.
@Suite(.inTurn)
struct EndpointContractTests {
    enum Style: String, CaseIterable, CustomTestStringConvertible {
        case structs, `enum`

        var testDescription: String { rawValue }

        func client(_ api: any RequestPerforming) -> any NotesService {
            switch self {
            case .structs: StructService(api: api)
            case .enum: EnumService(api: api)
            }
        }

        /// Has a mock answer as httpbin does, endpoint by endpoint.
        func declare(on mock: MockTeapot) throws {
            switch self {
            case .structs:
                try mock.overrideEndPoint(StructService.List.self) { try Answers.list($0.titles) }
                try mock.overrideEndPoint(StructService.Add.self) { try Answers.echo($0.note, .post) }
                try mock.overrideEndPoint(StructService.Replace.self) { try Answers.echo($0.note, .put) }
                try mock.overrideEndPoint(StructService.Remove.self, with: Answers.removal)
                try mock.overrideEndPoint(StructService.Total.self, with: Answers.total)
                try mock.overrideEndPoint(StructService.Page.self, with: Answers.page)
                try mock.overrideEndPoint(StructService.Refused.self, with: Answers.refusal)
            case .enum:
                try mock.overrideEndPoint(EnumService.Notes.self) { endpoint in
                    switch endpoint {
                    case .list(let titles): try Answers.list(titles)
                    case .add(let note): try Answers.echo(note, .post)
                    case .replace(let note): try Answers.echo(note, .put)
                    case .remove: Answers.removal
                    case .total: Answers.total
                    case .page: Answers.page
                    case .refused: Answers.refusal
                    }
                }
            }
        }
    }

    enum Answers {
        static func list(_ titles: [String]) throws -> MockResponse { try .encoding(["args": ["title": titles]]) }

        static func echo(_ note: ContractNote, _ method: HTTPMethod) throws -> MockResponse {
            try .json(["json": ["id": note.id, "title": note.title], "method": method.rawValue])
        }

        static let removal = MockResponse.data(Data("gone".utf8), contentType: "text/plain")
        static let total = MockResponse.status(.ok, headerFields: ["X-Total": "17"])
        static let page = MockResponse.data(Data("<h1>Moby-Dick</h1>".utf8), contentType: "text/html")
        static let refusal = MockResponse.file("contract-refusal", status: 406)
    }

    private func client(_ backend: Backend, _ style: Style) throws -> any NotesService {
        let teapot = try backend.teapot()
        if let mock = teapot as? MockTeapot {
            mock.isStrict = true
            try style.declare(on: mock)
        }
        return style.client(teapot)
    }

    @Test(arguments: Backend.available, Style.allCases)
    func `a query`(backend: Backend, style: Style) async throws {
        let titles = ["tea & biscuits", "50 % of a+b=c; d/e?"]
        #expect(try await client(backend, style).titles(titles) == ["title": titles])
    }

    @Test(arguments: Backend.available, Style.allCases)
    func `a body and a method`(backend: Backend, style: Style) async throws {
        let client = try client(backend, style)
        #expect(try await client.add(ContractNote()) == ContractNote())
        let other = ContractNote(id: 4, title: "Rinse")
        #expect(try await client.replace(other) == other)
    }

    @Test(arguments: Backend.available, Style.allCases)
    func `the body is not read`(backend: Backend, style: Style) async throws {
        try await client(backend, style).remove(4)
    }

    @Test(arguments: Backend.available, Style.allCases)
    func `a header field`(backend: Backend, style: Style) async throws {
        #expect(try await client(backend, style).total() == 17)
    }

    @Test(arguments: Backend.available, Style.allCases)
    func `a body that is not JSON`(backend: Backend, style: Style) async throws {
        #expect(try await client(backend, style).page().contains("<h1>"))
    }

    @Test(arguments: Backend.available, Style.allCases)
    func `a failure with a body`(backend: Backend, style: Style) async throws {
        let client = try client(backend, style)
        let error = try #require(await thrown { () throws(TeapotError) in try await client.refused() })
        #expect(error.type == .invalidResponseStatus)
        #expect(error.responseStatus == 406)
        let message = "Client did not request a supported media type."
        #expect(try client.refusal(in: error) == ContractRefusal(message: message))
    }

    /// The bytes on the wire are the same.
    @Test func `both send the same requests`() async throws {
        var sent: [[String]] = []
        for style in Style.allCases {
            let mock = MockTeapot(strictIn: .module)
            try style.declare(on: mock)
            let client = style.client(mock)
            _ = try await client.titles(["a", "b&"])
            _ = try await client.add(ContractNote())
            _ = try await client.replace(ContractNote())
            try await client.remove(7)
            _ = try await client.total()
            _ = try await client.page()
            _ = await thrown { () throws(TeapotError) in try await client.refused() }
            try mock.verify()
            sent.append(mock.requests.map { "\($0) \(String(decoding: $0.body, as: UTF8.self))" })
        }
        #expect(sent[0] == sent[1])
        #expect(sent[0].count == 7)
        #expect(sent[0][3] == "DELETE https://mock.base.url.com/anything/notes/7 ")
    }
}
