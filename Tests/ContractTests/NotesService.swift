import Teapot

/// The interface of each client of the notes API, however it is written.
///
/// The API is that of httpbin, which answers with what it was sent.
protocol NotesService: Sendable {
    init(api: any RequestPerforming)

    /// The titles that were asked for.
    func titles(_ titles: [String]) async throws(TeapotError) -> [String: [String]]
    func add(_ note: ContractNote) async throws(TeapotError) -> ContractNote
    func replace(_ note: ContractNote) async throws(TeapotError) -> ContractNote
    func remove(_ id: Int) async throws(TeapotError)
    /// A number that stands in a header field.
    func total() async throws(TeapotError) -> Int
    /// A body that is not JSON.
    func page() async throws(TeapotError) -> String
    /// Fails with status 406.
    func refused() async throws(TeapotError) -> ContractNote
    func refusal(in error: TeapotError) throws(TeapotError) -> ContractRefusal
}

struct ContractNote: Codable, Sendable, Equatable {
    var id = 3
    var title = "té & biscuits 🫖"
}

/// The API's answer to a note: an echo of the request.
struct ContractEcho: Decodable, Sendable {
    let json: ContractNote
    let method: String
}

struct ContractQuery: Decodable, Sendable {
    let args: [String: [String]]
}

struct ContractRefusal: Decodable, Sendable, Equatable {
    let message: String
}

struct MissingTotal: Error {}

// MARK: - One struct per endpoint

struct StructService: NotesService {
    let api: any RequestPerforming

    struct List: Endpoint {
        typealias Response = ContractQuery
        let titles: [String]
        let path = "anything/notes"
        var query: QueryItems { QueryItems(titles.map { URLQueryItem(name: "title", value: $0) }) }
    }

    struct Add: Endpoint {
        typealias Response = ContractEcho
        let note: ContractNote
        let path = "anything/notes"
        let method = HTTPMethod.post
        var body: ContractNote { note }
    }

    struct Replace: Endpoint {
        typealias Response = ContractEcho
        let note: ContractNote
        var path: String { "anything/notes/\(note.id)" }
        let method = HTTPMethod.put
        var body: ContractNote { note }
    }

    struct Remove: Endpoint {
        let id: Int
        var path: String { "anything/notes/\(id)" }
        let method = HTTPMethod.delete
    }

    struct Total: Endpoint {
        let path = "response-headers"
        let query: QueryItems = ["X-Total": "17"]

        func parse(_ response: Teapot.Response) throws -> Int {
            guard let total = response.headerFields["x-total"].flatMap({ Int($0) }) else { throw MissingTotal() }
            return total
        }
    }

    struct Page: Endpoint {
        let path = "html"
        func parse(_ response: Teapot.Response) throws -> String { String(decoding: response.data, as: UTF8.self) }
    }

    struct Refused: Endpoint {
        typealias Response = ContractEcho
        typealias Failure = ContractRefusal
        let path = "status/406"
    }

    func titles(_ titles: [String]) async throws(TeapotError) -> [String: [String]] {
        try await api.send(List(titles: titles)).args
    }

    func add(_ note: ContractNote) async throws(TeapotError) -> ContractNote {
        try await api.send(Add(note: note)).json
    }

    func replace(_ note: ContractNote) async throws(TeapotError) -> ContractNote {
        try await api.send(Replace(note: note)).json
    }

    func remove(_ id: Int) async throws(TeapotError) {
        try await api.send(Remove(id: id))
    }

    func total() async throws(TeapotError) -> Int {
        try await api.send(Total())
    }

    func page() async throws(TeapotError) -> String {
        try await api.send(Page())
    }

    func refused() async throws(TeapotError) -> ContractNote {
        try await api.send(Refused()).json
    }

    func refusal(in error: TeapotError) throws(TeapotError) -> ContractRefusal {
        try error.decode(failureOf: Refused.self)
    }
}

// MARK: - One enum of endpoints

struct EnumService: NotesService {
    let api: any RequestPerforming

    enum Notes: Endpoint {
        typealias Failure = ContractRefusal

        case list(titles: [String])
        case add(ContractNote)
        case replace(ContractNote)
        case remove(Int)
        case total
        case page
        case refused

        var path: String {
            switch self {
            case .list, .add: "anything/notes"
            case .replace(let note): "anything/notes/\(note.id)"
            case .remove(let id): "anything/notes/\(id)"
            case .total: "response-headers"
            case .page: "html"
            case .refused: "status/406"
            }
        }

        var method: HTTPMethod {
            switch self {
            case .list, .total, .page, .refused: .get
            case .add: .post
            case .replace: .put
            case .remove: .delete
            }
        }

        var query: QueryItems {
            switch self {
            case .list(let titles): QueryItems(titles.map { URLQueryItem(name: "title", value: $0) })
            case .total: ["X-Total": "17"]
            default: []
            }
        }

        var body: Teapot.Request.Body? {
            switch self {
            case .add(let note), .replace(let note): Teapot.Request.Body(encoding: note)
            default: nil
            }
        }
    }

    private func send<Value: Decodable & Sendable>(
        _ endpoint: Notes,
        as type: Value.Type
    ) async throws(TeapotError) -> Value {
        try await api.send(endpoint, as: type)
    }

    func titles(_ titles: [String]) async throws(TeapotError) -> [String: [String]] {
        try await send(.list(titles: titles), as: ContractQuery.self).args
    }

    func add(_ note: ContractNote) async throws(TeapotError) -> ContractNote {
        try await send(.add(note), as: ContractEcho.self).json
    }

    func replace(_ note: ContractNote) async throws(TeapotError) -> ContractNote {
        try await send(.replace(note), as: ContractEcho.self).json
    }

    func remove(_ id: Int) async throws(TeapotError) {
        _ = try await send(.remove(id), as: EmptyResponse.self)
    }

    func total() async throws(TeapotError) -> Int {
        let response = try await api.send(Teapot.Request(Notes.total))
        return response.headerFields["x-total"].flatMap { Int($0) } ?? 0
    }

    func page() async throws(TeapotError) -> String {
        String(decoding: try await api.send(Teapot.Request(Notes.page)).data, as: UTF8.self)
    }

    func refused() async throws(TeapotError) -> ContractNote {
        try await send(.refused, as: ContractEcho.self).json
    }

    func refusal(in error: TeapotError) throws(TeapotError) -> ContractRefusal {
        try error.decode(failureOf: Notes.self)
    }
}
