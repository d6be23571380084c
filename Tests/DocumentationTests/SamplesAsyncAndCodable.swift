import Teapot

/// The body of the API's errors.
struct Problem: Codable, Sendable {
    let message: String
}

/// The samples of the article "Async and Codable". `SamplesRunAsyncTests` runs them.
enum AsyncSamples {
    static func getting(_ teapot: Teapot, show: (String) -> Void) async {
        do {
            let note = try await teapot.get("notes/1", as: Note.self)
            show(note.title)
        } catch {
            show(error.description)
        }
    }

    static func gettingByClosure(_ teapot: Teapot, show: @escaping @Sendable (String) -> Void) {
        teapot.send(Teapot.Request(path: "notes/1")) { result in
            do throws(TeapotError) {
                let note = try result.get().decode(Note.self)
                show(note.title)
            } catch {
                show(error.description)
            }
        }
    }

    static func response(_ teapot: Teapot, show: (String) -> Void) async throws {
        let response = try await teapot.get("notes")
        let notes = try response.decode([Note].self)
        show("\(notes.count) notes, status \(response.status), \(response.headerFields["content-type"] ?? "")")
    }

    static func bodies(_ teapot: Teapot, drawing: Data) async throws {
        let note = try await teapot.post("notes", body: Note(id: 3, title: "Buy cups"), as: Note.self)
        try await teapot.patch("notes/\(note.id)", body: ["title": "Buy two cups"])

        try await teapot.put("notes/3/drawing", body: Teapot.Request.Body(drawing, contentType: "image/svg+xml"))

        let fields: [String: Any] = ["title": "Buy cups", "tags": ["shopping"]]
        try await teapot.put("notes/3", body: Teapot.Request.Body(.dictionary(fields)))
    }

    static func query(_ teapot: Teapot) async throws -> [Note] {
        let notes = try await teapot.get("notes", as: [Note].self, query: ["q": "tea & biscuits", "page": 2])
        return notes
    }

    static func errors(_ teapot: Teapot, show: (String) -> Void) async {
        do {
            try await teapot.delete("notes/17")
        } catch {
            switch error.type {
            case .invalidResponseStatus:
                let problem = try? error.decode(Problem.self)
                show(problem?.message ?? error.description)
            case .noResponse where (error.underlyingError as? URLError)?.code == .timedOut:
                show("The server takes too long.")
            case .cancelled:
                break
            default:
                show("\(error.description) \(error.failureReason ?? "")")
            }
        }
    }

    static func coders(_ teapot: Teapot) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        teapot.decoder = decoder
    }

    static func snakeCase<Account: Decodable & Sendable>(_ teapot: Teapot, as: Account.Type) async throws -> Account {
        let snakeCase = JSONDecoder()
        snakeCase.keyDecodingStrategy = .convertFromSnakeCase
        let account = try await teapot.get("account", as: Account.self, decoder: snakeCase)
        return account
    }

    static func cancelled(_ teapot: Teapot) -> Task<Teapot.Response, any Error> {
        let task = Task { try await teapot.get("reports/2024", timeoutInterval: 60) }
        task.cancel()
        return task
    }

    static func request(_ teapot: Teapot, replacing tag: String, with note: Note) async throws -> Teapot.Response {
        var request = Teapot.Request(.put, path: "notes/1", headerFields: ["If-Match": tag])
        request.body = Teapot.Request.Body(encoding: note)
        let response = try await teapot.send(request)
        return response
    }

    static func blocking(_ teapot: Teapot) throws -> Note {
        let response = try teapot.sendAndWait(Teapot.Request(path: "notes/1"))
        let note = try response.decode(Note.self)
        return note
    }
}
