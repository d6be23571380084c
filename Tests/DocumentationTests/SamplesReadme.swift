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

/// What the README shows beside the client. `SamplesRunTests` and `SamplesRunAsyncTests` run it.
enum ReadmeSamples {
    static func closure(_ teapot: Teapot, show: @escaping @Sendable (String) -> Void) {
        teapot.get("notes") { result in
            switch result {
            case .success(let json, let response): show("\(response.status): \(json?.array?.count ?? 0) notes")
            case .failure(_, _, let error): show(error.description)
            }
        }
    }

    static func transfers(
        _ teapot: Teapot,
        to archive: URL,
        picture: URL,
        show: @escaping @Sendable (String) -> Void
    ) async throws {
        try await teapot.download("exports/2024.zip", to: archive, resumes: true) { progress in
            show("\(Int((progress.fraction ?? 0) * 100)) %")
        }

        try await teapot.upload("notes/1/picture", fromFile: picture, method: .put, contentType: "image/png")

        var form = MultipartFormData()
        form.append("The old kettle", name: "title")
        form.append(file: picture, name: "picture")
        try await teapot.post("notes/1/pictures", body: form.body())

        for try await line in try await teapot.bytes("events").lines {
            show(line)
        }
    }

    static func blocking(_ teapot: Teapot) throws -> [Note] {
        let notes = try teapot.sendAndWait(Teapot.Request(path: "notes")).decode([Note].self)
        return notes
    }

    static func logging(_ teapot: Teapot) {
        teapot.logger = Logger(level: .incomingAndOutgoingData)
        teapot.secretPolicy = SecretPolicy.standard.adding(["X-Tenant"])
    }

    static func strings() {
        Teapot.localizationBundle = .main
    }
}
