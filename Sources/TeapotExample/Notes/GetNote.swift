import Teapot

/// An endpoint with a type of its own, which fixes the type of the result.
struct GetNote: Endpoint {
    let id: Int

    var path: String { "anything/notes/\(id)" }

    /// httpbin stores no notes, and echoes only the URL.
    func parse(_ response: Teapot.Response) throws -> Note {
        guard let id = response.http.url.flatMap({ Int($0.lastPathComponent) }) else {
            throw TeapotError.unexpectedAnswer
        }
        return Note(id: id, title: "Note \(id)")
    }
}

extension Endpoint where Self == GetNote {
    static func note(_ id: Int) -> Self { GetNote(id: id) }
}
