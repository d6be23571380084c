import Teapot
import TeapotMock
import Testing

/// Lines that users write, in Swift Testing.
@Suite struct SwiftTestingUseTests {
    private let teapot = MockTeapot(bundle: .module, mockFilename: "get")

    @Test func `get with a switch over the result`() async {
        await confirmation { confirm -> Void in
            teapot.get("path") { result in
                switch result {
                case .success(let json, let response):
                    guard let json = json?.dictionary else { return }
                    #expect(json["title"] as? String == "Buy tea")
                    #expect(response.status == 200)
                    confirm()
                case .failure(let json, let response, let error):
                    Issue.record("\(response.status) \(error) \(String(describing: json))")
                }
            }
        }
    }

    @Test func `post with parameters`() async {
        let params: [String: Any] = ["title": "Buy tea", "tags": ["errand"]]
        await confirmation { confirm -> Void in
            teapot.post("something", parameters: params, allowsCellular: false) { result in
                guard case .success = result else { return }
                confirm()
            }
        }
    }

    private struct Note: Codable, Sendable {
        let title: String
    }

    @Test func `async calls`() async throws {
        #expect(try await teapot.get("path", as: Note.self).title == "Buy tea")
        let note = Note(title: "Buy cups")
        let noNote: Note? = nil
        let form = MultipartFormData(boundary: "B1")
        try await teapot.post("path", body: note)
        try await teapot.post("path", body: noNote)
        try await teapot.post("path", body: nil)
        try await teapot.post("path", body: Data("tea".utf8))
        try await teapot.send(Teapot.Request(.post, path: "path", body: form.body()))
        #expect(try await teapot.put("path", body: ["title": "Buy cups"], as: Note.self).title == "Buy tea")
        #expect(try await teapot.send(Teapot.Request(.delete, path: "path")).decode(Note.self).title == "Buy tea")
    }

    @MainActor
    @Test func transfers() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "Dependent-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try await teapot.download("path", to: file) { progress in
            #expect(progress.bytes <= progress.expectedBytes ?? 0)
        }
        try await teapot.upload(Teapot.Request(.post, path: "path", body: .file(file)))
        var lines = 0
        for try await line in try await teapot.bytes("path").lines where !line.isEmpty { lines += 1 }
        #expect(lines > 0)
    }

    @Test func `imports are enough`() {
        let types: [Any.Type] = [
            URLSessionTask.self, HTTPURLResponse.self, Bundle.self, Data.self, URL.self, DispatchQueue.self,
        ]
        #expect(types.count == 6)
    }
}
