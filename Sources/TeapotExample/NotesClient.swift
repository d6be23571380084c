import Teapot

/// A client for a service with notes, as in an app.
///
/// The service is httpbin, which stores nothing and echoes each request.
struct NotesClient: Sendable {
    /// Sends the requests; a `MockTeapot` in a test suite.
    let teapot: Teapot

    /// Creates a note.
    func create(_ note: Note) async throws(TeapotError) -> Note {
        try await teapot.post("anything/notes", body: note, as: Echo.self).json
    }

    /// Creates a note, in a script without async: blocks the thread until the answer arrives.
    func createAndWait(_ note: Note) throws(TeapotError) -> Note {
        try teapot.sendAndWait(CreateNote(note: note)).json
    }

    /// Replaces a note.
    func update(_ note: Note) async throws(TeapotError) -> Note {
        try await teapot.put("anything/notes/\(note.id)", body: note, as: Echo.self).json
    }

    /// Deletes a note. The answer is ignored.
    func delete(_ note: Note) async throws(TeapotError) {
        try await teapot.delete("anything/notes/\(note.id)")
    }

    /// Logs in.
    ///
    /// - Returns: The name of the user.
    /// - Throws: `invalidResponseStatus` with status 401 if the password is not Ada's.
    func logIn(username: String, password: String) async throws(TeapotError) -> String {
        struct Account: Decodable {
            let user: String
        }
        let header = teapot.basicAuthenticationHeader(username: username, password: password)
        // httpbin accepts the username and the password of the path.
        return try await teapot.get("basic-auth/ada/correct-horse", as: Account.self, headerFields: header).user
    }
}

/// A call as a value: the request and the type of its response.
struct CreateNote: Endpoint {
    typealias Response = Echo<Note>

    let note: Note

    var request: Teapot.Request { Teapot.Request(.post, path: "anything/notes", body: .json(note)) }
}

/// A call that the service refuses, as it cannot send a drawing.
struct GetDrawing: Endpoint {
    typealias Failure = ServiceError

    var request: Teapot.Request { "status/406" }
}
