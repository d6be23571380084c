import Teapot

/// The same client with endpoints.
struct NotesEndpointClient: Sendable {
    /// Sends the endpoints: a `Teapot`, or in a test suite a `MockTeapot` or another test double.
    let api: any RequestPerforming

    /// Lists the notes with these titles.
    func titles(_ titles: [String]) async throws(TeapotError) -> [String] {
        try await send(.notes(titled: titles), as: QueryEcho.self).arguments["title"] ?? []
    }

    /// Creates a note.
    func create(_ note: Note) async throws(TeapotError) -> Note {
        guard let note = try await send(.create(note), as: Echo<Note>.self).json else { throw .unexpectedAnswer }
        return note
    }

    /// Deletes a note. The answer is ignored.
    func delete(_ note: Note) async throws(TeapotError) {
        try await api.send(NotesEndpoint.delete(id: note.id))
    }

    /// Requests a type that the service refuses.
    func drawing() async throws(TeapotError) -> Note {
        try await send(.drawing, as: Note.self)
    }

    /// Loads a note by its number.
    func note(_ id: Int) async throws(TeapotError) -> Note {
        try await api.send(.note(id))
    }

    private func send<Value: Decodable & Sendable>(
        _ endpoint: NotesEndpoint,
        as type: Value.Type
    ) async throws(TeapotError) -> Value {
        try await api.send(endpoint, as: type)
    }
}
