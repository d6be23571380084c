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
    var path = "plain"
}

struct GetTea: Endpoint {
    typealias Response = Tea
    typealias Failure = Problem
    var id = 1
    var path: String { "teas/\(id)" }
}

extension Endpoint where Self == GetTea {
    static func tea(_ id: Int) -> Self { GetTea(id: id) }
}

/// Everything set.
struct PutTea: Endpoint {
    typealias Response = Tea
    typealias Failure = Problem
    var tea: Tea? = Tea()
    let path = "teas"
    let method = HTTPMethod.put
    let query: QueryItems = ["a": "b&c"]
    let headerFields = ["X-Kind": "green"]
    var body: Tea? { tea }
    var encoder: JSONEncoder? { CodingTests.snakeEncoder }
    var decoder: JSONDecoder? { CodingTests.snakeDecoder }

    func adjust(_ request: inout Teapot.Request) throws(TeapotError) {
        request.timeoutInterval = 3
    }
}

/// Reads a header field, and no JSON.
struct CountTeas: Endpoint {
    struct NoCount: Error {}
    let path = "teas"
    let method = HTTPMethod.head

    func parse(_ response: Teapot.Response) throws -> Int {
        switch response.headerFields["X-Count"] {
        case "none": throw NoCount()
        case "secret": throw TeapotError(type: .noResponse, description: "of its own")
        case let text: text.flatMap { Int($0) } ?? -1
        }
    }
}

struct PostAny<Body: Encodable & Sendable>: Endpoint {
    let value: Body
    let path = "teas"
    let method = HTTPMethod.post
    var body: Body { value }
}

/// Cannot be sent.
struct Unsendable: Endpoint {
    let path = "teas"

    func adjust(_ request: inout Teapot.Request) throws(TeapotError) {
        throw TeapotError(type: .invalidPayload, description: "not today")
    }
}

enum TeaAPI: Endpoint {
    typealias Failure = Problem
    case tea(Int)
    case count

    var path: String {
        switch self {
        case .tea(let id): "teas/\(id)"
        case .count: "teas/count"
        }
    }
}
