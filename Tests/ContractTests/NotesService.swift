import Teapot

/// A client of the notes API with a struct for each endpoint.
///
/// The API is that of httpbin, which answers with what it was sent.
enum NotesService {
    struct Note: Codable, Sendable, Equatable {
        var id = 3
        var title = "té & biscuits 🫖"
    }

    /// The API's answer to a note: an echo of the request.
    struct Echo: Decodable, Sendable {
        let json: Note
    }

    struct Query: Decodable, Sendable {
        let args: [String: [String]]
    }

    struct Refusal: Decodable, Sendable, Equatable {
        let message: String
    }

    struct MissingTotal: Error {}

    struct List: Endpoint {
        typealias Response = Query
        let titles: [String]
        var request: Teapot.Request {
            let query = titles.map { URLQueryItem(name: "title", value: $0) }
            return Teapot.Request(path: "anything/notes", query: Teapot.QueryItems(query))
        }
    }

    struct Add: Endpoint {
        typealias Response = Echo
        let note: Note
        var request: Teapot.Request { Teapot.Request(.post, path: "anything/notes", body: .json(note)) }
    }

    struct Remove: Endpoint {
        let id: Int
        var request: Teapot.Request { Teapot.Request(.delete, path: "anything/notes/\(id)") }
    }

    struct Total: Endpoint {
        let request = Teapot.Request(path: "response-headers", query: ["X-Total": "17"])

        func parse(_ response: Teapot.Response) throws -> Int {
            guard let total = response.headerFields["x-total"].flatMap({ Int($0) }) else { throw MissingTotal() }
            return total
        }
    }

    struct Refused: Endpoint {
        typealias Response = Echo
        typealias Failure = Refusal
        let request: Teapot.Request = "status/406"
    }
}
