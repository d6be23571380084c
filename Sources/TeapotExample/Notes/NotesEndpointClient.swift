import Teapot

/// The client once more, made of endpoints.
struct NotesEndpointClient: Sendable {
    /// What sends them: a `Teapot`, and in a test suite a `MockTeapot` or anything else that does.
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

    /// Deletes a note. What the service answers is not looked at.
    func delete(_ note: Note) async throws(TeapotError) {
        try await api.send(NotesEndpoint.delete(id: note.id))
    }

    /// Asks for what the service refuses.
    func drawing() async throws(TeapotError) -> Note {
        try await send(.drawing, as: Note.self)
    }

    /// A note by its number.
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
