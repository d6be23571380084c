import Teapot
import TeapotMock
import Testing

/// The samples of the article "Endpoints", and those about endpoints in "Scripting responses". `SamplesRunEndpointsTests`
/// runs them.
struct GetNote: Endpoint {
    typealias Response = Note
    typealias Failure = Problem

    let id: Int

    var path: String { "notes/\(id)" }
}

struct AddNote: Endpoint {
    typealias Response = Note

    let note: Note
    let path = "notes"
    let method = HTTPMethod.post

    var body: Note { note }
}

extension Endpoint where Self == GetNote {
    static func note(_ id: Int) -> Self { GetNote(id: id) }
}

enum NotesAPI: Endpoint {
    typealias Failure = Problem

    case notes(page: Int)
    case add(Note)
    case delete(id: Int)

    var path: String {
        switch self {
        case .notes, .add: "notes"
        case .delete(let id): "notes/\(id)"
        }
    }

    var method: HTTPMethod {
        switch self {
        case .notes: .get
        case .add: .post
        case .delete: .delete
        }
    }

    var query: QueryItems {
        guard case .notes(let page) = self else { return [] }
        return ["page": page]
    }

    var body: Teapot.Request.Body? {
        guard case .add(let note) = self else { return nil }
        return Teapot.Request.Body(encoding: note)
    }
}

struct EnumClient: Sendable {
    let teapot: Teapot

    func notes(page: Int) async throws(TeapotError) -> [Note] {
        try await send(.notes(page: page), as: [Note].self)
    }

    func delete(_ id: Int) async throws(TeapotError) {
        try await teapot.send(NotesAPI.delete(id: id))
    }

    private func send<Value: Decodable & Sendable>(
        _ endpoint: NotesAPI,
        as type: Value.Type
    ) async throws(TeapotError) -> Value {
        try await teapot.send(endpoint, as: type)
    }
}

struct CountNotes: Endpoint {
    let path = "notes"
    let method = HTTPMethod.head

    func parse(_ response: Teapot.Response) throws -> Int {
        guard let count = response.headerFields["X-Total-Count"].flatMap({ Int($0) }) else {
            throw URLError(.cannotParseResponse)
        }
        return count
    }
}

struct SendPicture: Endpoint {
    let id: Int
    let file: URL
    let method = HTTPMethod.put

    var path: String { "notes/\(id)/picture" }

    func adjust(_ request: inout Teapot.Request) throws(TeapotError) {
        request.body = Teapot.Request.Body(file: file, contentType: "image/png")
        request.timeoutInterval = 60
    }
}

struct NotesModel: Sendable {
    let api: any RequestPerforming

    func title(of id: Int) async throws(TeapotError) -> String {
        try await api.send(GetNote(id: id)).title
    }
}

struct OneNote: RequestPerforming {
    func send(_ request: Teapot.Request) async throws(TeapotError) -> Teapot.Response {
        let url = URL(filePath: "/\(request.path)")
        guard let http = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil) else {
            throw TeapotError(type: .noResponse, description: "There is no response.")
        }
        return Teapot.Response(data: Data(#"{"id": 1, "title": "Buy tea"}"#.utf8), http: http)
    }
}

enum EndpointSamples {
    static func sending(_ teapot: Teapot) async throws {
        let note = try await teapot.send(GetNote(id: 1))
        try await teapot.send(AddNote(note: note))
    }

    static func member(_ teapot: Teapot) async throws -> Note {
        let note = try await teapot.send(.note(1))
        return note
    }

    static func download(_ teapot: Teapot, to file: URL) async throws {
        try await teapot.download(Teapot.Request(GetNote(id: 1)), to: file)
    }

    static func errors(_ teapot: Teapot, show: (String) -> Void) async {
        do {
            let note = try await teapot.send(GetNote(id: 17))
            show(note.title)
        } catch {
            let problem = try? error.decode(failureOf: GetNote.self)
            show(problem?.message ?? error.description)
        }
    }

    static func closure(_ teapot: Teapot, show: @escaping @Sendable (String) -> Void) {
        teapot.send(GetNote(id: 1)) { result in
            switch result {
            case .success(let note): show(note.title)
            case .failure(let error): show(error.description)
            }
        }
    }

    static func script(_ teapot: Teapot) throws -> Note {
        let note = try teapot.sendAndWait(GetNote(id: 1))
        return note
    }

    static func types() throws -> MockTeapot {
        let mock = MockTeapot(strictIn: .module)
        try mock.overrideEndPoint(GetNote.self, with: .encoding(Note(id: 1, title: "Buy tea")))
        try mock.overrideEndPoint(AddNote.self, withSequence: [.status(.serviceUnavailable), .status(.created)])
        return mock
    }

    static func cases() throws -> MockTeapot {
        let mock = MockTeapot(strictIn: .module)
        try mock.overrideEndPoint(NotesAPI.self) { endpoint in
            switch endpoint {
            case .notes: .file("notes")
            case .add(let note): try .encoding(note, status: .created)
            case .delete: .status(.noContent)
            }
        }
        return mock
    }
}
