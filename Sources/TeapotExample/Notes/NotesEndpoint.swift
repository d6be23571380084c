import Teapot

/// The same API as one enum of endpoints: the path and the body of each.
enum NotesEndpoint: Endpoint {
    typealias Failure = ServiceError

    case notes(titled: [String])
    case create(Note)
    case delete(id: Int)
    /// A type that the service refuses to send.
    case drawing

    var path: String {
        switch self {
        case .notes, .create: "anything/notes"
        case .delete(let id): "anything/notes/\(id)"
        case .drawing: "status/406"
        }
    }

    var method: HTTPMethod {
        switch self {
        case .notes, .drawing: .get
        case .create: .post
        case .delete: .delete
        }
    }

    var query: QueryItems {
        guard case .notes(let titles) = self else { return [] }
        return QueryItems(titles.map { URLQueryItem(name: "title", value: $0) })
    }

    var body: Teapot.Request.Body? {
        guard case .create(let note) = self else { return nil }
        return Teapot.Request.Body(encoding: note)
    }
}
