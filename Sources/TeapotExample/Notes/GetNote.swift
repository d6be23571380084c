import Teapot

/// One endpoint as a type of its own, which knows what comes back.
struct GetNote: Endpoint {
    let id: Int

    var path: String { "anything/notes/\(id)" }

    /// httpbin keeps no notes: what it knows of this one is its URL.
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
