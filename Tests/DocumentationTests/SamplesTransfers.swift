import Teapot

/// The samples of the article "Downloads, uploads and streams". `SamplesRunTransfersTests` runs them.
enum TransferSamples {
    struct Change: Decodable, Sendable {
        let id: Int
    }

    static func watch(_ teapot: Teapot, apply: (Change) -> Void) async throws {
        for try await change in try await teapot.bytes("watch").lines(as: Change.self) {
            apply(change)
        }
    }

    static func download(_ teapot: Teapot, to file: URL, show: @escaping @Sendable (String) -> Void) async throws {
        try await teapot.download("exports/2024.zip", to: file) { progress in
            let percent = progress.fraction.map { "\(Int($0 * 100)) %" }
            show(percent ?? "\(progress.bytes) bytes")
        }
    }

    static func resume(_ teapot: Teapot, to file: URL) async throws {
        try await teapot.download("exports/2024.zip", to: file, resumes: true)
    }

    static func upload(_ teapot: Teapot, file: URL, show: @escaping @Sendable (String) -> Void) async throws {
        try await teapot.upload("exports", fromFile: file, contentType: "application/zip") { progress in
            show("\(progress.bytes) of \(progress.expectedBytes ?? 0) bytes")
        }
    }

    static func file(_ teapot: Teapot, file: URL) async throws {
        try await teapot.put("exports/2024.zip", body: Teapot.Request.Body(file: file, contentType: "application/zip"))
    }

    static func copy(_ teapot: Teapot, to archive: Teapot) async throws {
        let export = try await teapot.bytes("exports/2024.zip")
        let body = Teapot.Request.Body(streaming: export.chunks, contentType: "application/zip")
        try await archive.put("exports/2024.zip", body: body)
    }

    static func form(_ teapot: Teapot, picture: URL, show: @escaping @Sendable (String) -> Void) async throws {
        var form = MultipartFormData()
        form.append("The old kettle", name: "title")
        form.append(file: picture, name: "picture")
        try await teapot.post("notes/1/pictures", body: form.body())

        let request = try Teapot.Request(.post, path: "notes/1/pictures", body: form.body())
        try await teapot.upload(request) { progress in
            show("\(progress.bytes) of \(progress.expectedBytes ?? 0) bytes")
        }
    }

    static func lines(_ teapot: Teapot, show: (String) -> Void) async throws {
        let response = try await teapot.bytes("events")
        for try await line in response.lines {
            show(line)
        }
    }

    static func chunks(_ teapot: Teapot) async throws -> Int {
        var size = 0
        for try await chunk in try await teapot.bytes("exports/2024.zip").chunks {
            size += chunk.count
        }
        return size
    }
}
