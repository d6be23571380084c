import Teapot

/// A client for a service with notes, as in an app.
///
/// The service is httpbin, which stores nothing and echoes each request.
final class NotesClient: Sendable {
    /// Sends the requests; a `MockTeapot` in a test suite.
    let teapot: Teapot

    init(teapot: Teapot) {
        self.teapot = teapot
    }

    /// Lists the notes with these titles.
    func notes(titled titles: [String]) async throws(TeapotError) -> [Note] {
        let query = QueryItems(titles.map { URLQueryItem(name: "title", value: $0) })
        let answer = try await teapot.get("anything/notes", as: QueryEcho.self, query: query)
        return (answer.arguments["title"] ?? []).enumerated().map { Note(id: $0.offset + 1, title: $0.element) }
    }

    /// Creates a note.
    func create(_ note: Note) async throws(TeapotError) -> Note {
        try await value(in: teapot.post("anything/notes", body: note, as: Echo.self))
    }

    /// Replaces a note.
    func update(_ note: Note) async throws(TeapotError) -> Note {
        try await value(in: teapot.put("anything/notes/\(note.id)", body: note, as: Echo.self))
    }

    /// Changes some properties of a note.
    func change(_ note: Note, _ change: NoteChange) async throws(TeapotError) -> Note {
        // httpbin has no note, and echoes only the change.
        let made: NoteChange = try await value(
            in: teapot.patch("anything/notes/\(note.id)", body: change, as: Echo.self)
        )
        return Note(id: note.id, title: made.title ?? note.title, isDone: made.isDone ?? note.isDone)
    }

    /// Logs in, and returns the name of the user.
    ///
    /// - Parameters:
    ///   - username: The user.
    ///   - password: Their password.
    ///   - account: The account that httpbin accepts: a username, a slash and a password.
    /// - Returns: The name.
    /// - Throws: `invalidResponseStatus` with status 401 if it is another account.
    func logIn(username: String, password: String, to account: String) async throws(TeapotError) -> String {
        struct Account: Decodable {
            let user: String
        }
        let header = teapot.basicAuthenticationHeader(username: username, password: password)
        return try await teapot.get("basic-auth/\(account)", as: Account.self, headerFields: header).user
    }

    /// The number of notes, for scripts: blocks the thread until the answer arrives.
    func count(titled title: String) throws(TeapotError) -> Int {
        let query: QueryItems = ["title": title]
        let response = try teapot.sendAndWait(Teapot.Request(path: "anything/notes", query: query))
        return try response.decode(QueryEcho.self).arguments["title"]?.count ?? 0
    }

    private func value<Value>(in echo: Echo<Value>) throws(TeapotError) -> Value {
        guard let value = echo.json else { throw .unexpectedAnswer }
        return value
    }
}
