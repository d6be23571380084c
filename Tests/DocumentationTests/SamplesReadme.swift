import Teapot

struct Note: Codable, Sendable {
    let id: Int
    let title: String
}

struct NotesClient: Sendable {
    let teapot: Teapot

    func notes() async throws(TeapotError) -> [Note] {
        try await teapot.get("notes", as: [Note].self)
    }

    func add(_ note: Note) async throws(TeapotError) -> Note {
        try await teapot.post("notes", body: note, as: Note.self)
    }
}

extension NotesClient {
    struct Token: Decodable, Sendable {
        let access: String
        let expiresIn: Double
    }

    init(baseURL: URL, login: Teapot) {
        teapot = Teapot(baseURL: baseURL)
        teapot.retryPolicy = RetryPolicy(maximumAttempts: 4, deadline: .seconds(30))
        let grant = Teapot.Request.Body(form: ["grant_type": "client_credentials"])
        teapot.authenticator = Authenticator { _ in
            let token = try await login.post("token", body: grant, as: Token.self)
            return .bearer(token.access, expires: Date(timeIntervalSinceNow: token.expiresIn))
        }
    }
}

/// The README's other samples, and those of the articles "Logging" and "Localization". `SamplesRunReadmeTests` runs them.
enum ReadmeSamples {
    static func first(baseURL: URL) async throws -> [String] {
        struct Note: Codable, Sendable {
            let id: Int
            let title: String
        }

        let teapot = Teapot(baseURL: baseURL)
        let notes = try await teapot.get("notes", as: [Note].self, query: ["tag": "tea", "page": 2])
        return notes.map(\.title)
    }

    static func client(baseURL: URL, login: Teapot, show: (String) -> Void) async {
        let client = NotesClient(baseURL: baseURL, login: login)
        do {
            let note = try await client.add(Note(id: 3, title: "Buy cups"))
            show(note.title)
        } catch {
            let problem = try? error.decode(Problem.self)
            show(problem?.message ?? error.description)
        }
    }

    static func transfers(
        _ teapot: Teapot,
        to archive: URL,
        picture: URL,
        show: @escaping @Sendable (String) -> Void
    ) async throws {
        try await teapot.download("exports/2024.zip", to: archive, resumes: true)
        try await teapot.upload("notes/1/picture", fromFile: picture, method: .put, contentType: "image/png")
        for try await line in try await teapot.bytes("events").lines {
            show(line)
        }
    }

    static func logging(_ teapot: Teapot) {
        teapot.logger = Logger(level: .incomingAndOutgoingData)
        teapot.secretPolicy = SecretPolicy.standard.adding(["X-Tenant"])
    }

    static func strings() {
        Teapot.localizationBundle = .main
    }
}
