import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Endpoints of an API, whatever answers them.
@Suite(.inTurn)
struct EndpointContractTests {
    private typealias Service = NotesService

    /// A client of httpbin, or of a mock that answers as httpbin does, endpoint by endpoint.
    private func client(_ backend: Backend) throws -> Teapot {
        let teapot = try backend.teapot()
        guard let mock = teapot as? MockTeapot else { return teapot }
        mock.isStrict = true
        try mock.overrideEndPoint(Service.List.self) { try .encoding(["args": ["title": $0.titles]]) }
        try mock.overrideEndPoint(Service.Add.self) { try .json(["json": ["id": $0.note.id, "title": $0.note.title]]) }
        try mock.overrideEndPoint(Service.Remove.self, with: .data(Data("gone".utf8), contentType: "text/plain"))
        try mock.overrideEndPoint(Service.Total.self, with: .status(.ok, headerFields: ["X-Total": "17"]))
        try mock.overrideEndPoint(Service.Refused.self, with: .file("contract-refusal", status: 406))
        return mock
    }

    @Test(arguments: Backend.available)
    func `query, body and method are sent, and the response is decoded`(backend: Backend) async throws {
        let client = try client(backend)
        let titles = ["tea & biscuits", "50 % of a+b=c; d/e?"]
        #expect(try await client.send(Service.List(titles: titles)).args == ["title": titles])
        #expect(try await client.send(Service.Add(note: Service.Note())).json == Service.Note())
    }

    @Test(arguments: Backend.available)
    func `a response need not be JSON`(backend: Backend) async throws {
        let client = try client(backend)
        try await client.send(Service.Remove(id: 4))
        #expect(try await client.send(Service.Total()) == 17)
    }

    @Test(arguments: Backend.available)
    func `a failure has a body`(backend: Backend) async throws {
        let client = try client(backend)
        let error = try #require(
            await thrown { () throws(TeapotError) in try await client.send(Service.Refused()) }
        )
        #expect(error.type == .invalidResponseStatus)
        #expect(error.responseStatus == 406)
        let message = "Client did not request a supported media type."
        #expect(try error.decode(Service.Refused.Failure.self) == Service.Refusal(message: message))
    }
}
