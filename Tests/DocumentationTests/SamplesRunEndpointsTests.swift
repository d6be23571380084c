import Teapot
import TeapotMock
import TestTraits
import Testing

/// The samples about endpoints do what the pages say of them.
@Suite(.inTurn)
struct SamplesRunEndpointsTests {
    private static let note = Note(id: 1, title: "Buy tea")

    @Test func sendsEndpoints() async throws {
        let mock = MockTeapot(strictIn: .module)
        try mock.overrideEndPoint("notes/:id", method: .get, with: .encoding(Self.note))
        try mock.overrideEndPoint("notes", method: .post) { .data($0.body, contentType: "application/json") }
        try await EndpointSamples.sending(mock)
        #expect(try await EndpointSamples.member(mock).title == "Buy tea")
        #expect(try EndpointSamples.script(mock).title == "Buy tea")
        let shown = await withCheckedContinuation { continuation in
            EndpointSamples.closure(mock) { continuation.resume(returning: $0) }
        }
        #expect(shown == "Buy tea")
        #expect(mock.requests.map(\.method) == [.get, .post, .get, .get, .get])
        let file = FileManager.default.temporaryDirectory.appending(path: "note-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try await EndpointSamples.download(mock, to: file)
        #expect(try JSONDecoder().decode(Note.self, from: Data(contentsOf: file)).title == "Buy tea")
    }

    @Test func sendsCases() async throws {
        let mock = try EndpointSamples.cases()
        let client = EnumClient(teapot: mock)
        #expect(try await client.notes(page: 2).count == 2)
        try await client.delete(1)
        #expect(try await mock.send(NotesAPI.add(Self.note), as: Note.self).title == "Buy tea")
        let urls = mock.requests.map { "\($0)" }
        #expect(
            urls == [
                "GET https://mock.base.url.com/notes?page=2", "DELETE https://mock.base.url.com/notes/1",
                "POST https://mock.base.url.com/notes",
            ]
        )
    }

    @Test func readsWhatIsNotJSON() async throws {
        let mock = MockTeapot(strictIn: .module)
        try mock.overrideEndPoint(CountNotes.self, with: .status(.ok, headerFields: ["x-total-count": "12"]))
        #expect(try await mock.send(CountNotes()) == 12)
        let request = try Teapot.Request(SendPicture(id: 3, file: URL(filePath: "/picture.png")))
        #expect(request.body?.file?.path == "/picture.png")
        #expect(request.timeoutInterval == 60)
    }
}
