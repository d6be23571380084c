import Teapot

/// A client for a service that keeps notes, as an app would have one.
///
/// The service is httpbin: it keeps nothing, and answers with what it was sent.
final class NotesClient {
    /// What sends the requests; a test suite puts a `MockTeapot` here.
    var teapot: Teapot

    init(baseURL: URL, deliveryQueue: DispatchQueue = .main) {
        teapot = Teapot(baseURL: baseURL, defaultDeliveryQueue: deliveryQueue)
    }

    /// Lists the notes.
    func notes(completion: @escaping @Sendable (Result<[Note], TeapotError>) -> Void) {
        teapot.get("anything/notes?title=Buy tea&title=Water the plants") { result in
            switch result {
            case .success(let json, _):
                let arguments = json?.dictionary?["args"] as? [String: Any]
                guard let titles = arguments?["title"] as? [String] else {
                    return completion(.failure(.unexpectedAnswer))
                }
                completion(.success(titles.enumerated().map { Note(id: $0.offset + 1, title: $0.element) }))
            case .failure(_, _, let error):
                completion(.failure(error))
            }
        }
    }

    /// Creates a note.
    func create(id: Int, title: String, completion: @escaping @Sendable (Result<Note, TeapotError>) -> Void) {
        let note = Note(id: id, title: title)
        teapot.post("anything/notes", parameters: note.dictionary) { completion(Self.note(from: $0)) }
    }

    /// Replaces a note.
    func update(_ note: Note, completion: @escaping @Sendable (Result<Note, TeapotError>) -> Void) {
        teapot.put("anything/notes/\(note.id)", parameters: note.dictionary) { completion(Self.note(from: $0)) }
    }

    /// Marks a note as done, and changes nothing else about it.
    func finish(_ note: Note, completion: @escaping @Sendable (Result<Note, TeapotError>) -> Void) {
        teapot.patch("anything/notes/\(note.id)", parameters: ["done": true]) { result in
            completion(Self.note(from: result, changing: note))
        }
    }

    /// Deletes a note.
    func delete(_ note: Note, completion: @escaping @Sendable (Result<Int, TeapotError>) -> Void) {
        teapot.delete("anything/notes/\(note.id)") { result in
            switch result {
            case .success(let json, _):
                guard json?.dictionary?["method"] as? String == "DELETE" else {
                    return completion(.failure(.unexpectedAnswer))
                }
                completion(.success(note.id))
            case .failure(_, _, let error):
                completion(.failure(error))
            }
        }
    }

    /// Logs in, and completes with the name that the service knows the user by.
    ///
    /// - Parameters:
    ///   - username: Who logs in.
    ///   - password: Their password.
    ///   - account: What httpbin takes for right: a username, a slash and a password.
    ///   - completion: Takes the name.
    func logIn(
        username: String,
        password: String,
        to account: String,
        completion: @escaping @Sendable (Result<String, TeapotError>) -> Void
    ) {
        let header = teapot.basicAuthenticationHeader(username: username, password: password)
        teapot.get("basic-auth/\(account)", headerFields: header) { result in
            switch result {
            case .success(let json, _):
                guard let user = json?.dictionary?["user"] as? String else {
                    return completion(.failure(.unexpectedAnswer))
                }
                completion(.success(user))
            case .failure(_, _, let error):
                completion(.failure(error))
            }
        }
    }

    /// The note in an answer: httpbin has what it was sent under `json`. What is missing there is as it was.
    private static func note(from result: NetworkResult, changing old: Note? = nil) -> Result<Note, TeapotError> {
        switch result {
        case .success(let json, _):
            guard
                let sent = json?.dictionary?["json"] as? [String: Any],
                let note = Note((old?.dictionary ?? [:]).merging(sent) { _, new in new })
            else { return .failure(.unexpectedAnswer) }
            return .success(note)
        case .failure(_, _, let error):
            return .failure(error)
        }
    }
}
