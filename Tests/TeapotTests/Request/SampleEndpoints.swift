import Teapot

/// The body that the tests send.
struct Tea: Codable, Sendable, Equatable {
    var teaName = "Earl"
}

struct Problem: Decodable, Sendable, Equatable {
    let errorText: String
}

/// Only what has no default.
struct Plain: Endpoint {
    var request: Teapot.Request = "plain"
}

struct GetTea: Endpoint {
    typealias Response = Tea
    typealias Failure = Problem
    var id = 1
    var request: Teapot.Request { "teas/\(id)" }
}

extension Endpoint where Self == GetTea {
    static func tea(_ id: Int) -> Self { GetTea(id: id) }
}

/// Everything set.
struct PutTea: Endpoint {
    typealias Response = Tea
    typealias Failure = Problem
    var tea: Tea? = Tea()

    var request: Teapot.Request {
        var request = Teapot.Request(.put, path: "teas", query: ["a": "b&c"], headerFields: ["X-Kind": "green"])
        request.body = tea.map { .json($0) }
        request.encoder = CodingTests.snakeEncoder
        request.decoder = CodingTests.snakeDecoder
        request.timeoutInterval = 3
        return request
    }
}

/// Reads a header field, and no JSON.
struct CountTeas: Endpoint {
    struct NoCount: Error {}
    let request = Teapot.Request(.head, path: "teas")

    func parse(_ response: Teapot.Response) throws -> Int {
        switch response.headerFields["X-Count"] {
        case "none": throw NoCount()
        case "secret": throw TeapotError(type: .noResponse, description: "of its own")
        case let text: text.flatMap { Int($0) } ?? -1
        }
    }
}

struct PostAny<Body: Encodable & Sendable, Response: Decodable & Sendable>: Endpoint {
    let value: Body
    var request: Teapot.Request { Teapot.Request(.post, path: "teas", body: .json(value)) }
}

extension PostAny where Response == EmptyResponse {
    init(value: Body) { self.value = value }
}

/// Cannot be sent.
struct Unsendable: Endpoint {
    var request: Teapot.Request {
        get throws(TeapotError) { throw TeapotError(type: .invalidPayload, description: "not today") }
    }
}

enum TeaAPI: Endpoint {
    typealias Response = Tea
    typealias Failure = Problem
    case tea(Int)
    case named(String)

    var request: Teapot.Request {
        switch self {
        case .tea(let id): "teas/\(id)"
        case .named(let name): "teas/\(name)"
        }
    }
}
