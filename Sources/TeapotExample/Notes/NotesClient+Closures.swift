import Teapot

/// The closure forms, for code without async. Completions are called on the main queue.
extension NotesClient {
    /// Creates a note.
    ///
    /// - Parameters:
    ///   - note: The note, which is sent as a dictionary.
    ///   - completion: Receives the note of the service.
    /// - Returns: A task to suspend, resume and cancel the call.
    @discardableResult
    func create(
        _ note: Note,
        completion: @escaping @Sendable (Result<Note, TeapotError>) -> Void
    ) -> URLSessionTask? {
        let parameters: [String: Any] = ["id": note.id, "title": note.title, "done": note.isDone]
        return teapot.post("anything/notes", parameters: parameters) { result in
            switch result {
            case .success(let json, _):
                guard
                    let note = json?.dictionary?["json"] as? [String: Any],
                    let id = note["id"] as? Int, let title = note["title"] as? String
                else { return completion(.failure(.unexpectedAnswer)) }
                completion(.success(Note(id: id, title: title, isDone: note["done"] as? Bool ?? false)))
            case .failure(_, _, let error):
                completion(.failure(error))
            }
        }
    }

    /// Deletes a note.
    ///
    /// - Parameters:
    ///   - note: The note.
    ///   - completion: Receives the number of the note.
    /// - Returns: A task to suspend, resume and cancel the call.
    @discardableResult
    func delete(
        _ note: Note,
        completion: @escaping @Sendable (Result<Int, TeapotError>) -> Void
    ) -> URLSessionTask? {
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
}
