import Teapot
import TeapotMock

extension Walkthrough {
    func showRecording() async {
        await checklist.step("record, and replay") {
            let directory = try TemporaryDirectory()
            let file = directory.url.appending(path: "notes.har")
            let password = "correct-horse-battery"
            let session = { @Sendable (client: NotesClient) async throws in
                let note = try await client.create(Note(id: 1, title: "Buy tea"))
                let titles = try await client.notes(titled: ["Buy tea", "Rinse"]).map(\.title)
                let user = try await client.logIn(username: "ada", password: password, to: "ada/\(password)")
                return [note.title] + titles + [user]
            }

            let recorder = RecordingTransport()
            let teapot = Teapot(baseURL: client.teapot.baseURL, transport: recorder)
            let recorded = try await session(NotesClient(teapot: teapot))
            try recorder.write(to: file)

            let text = try String(contentsOf: file, encoding: .utf8)
            for secret in [password, Data("ada:\(password)".utf8).base64EncodedString()] where text.contains(secret) {
                throw Mismatch(expected: "no \(secret) in the recording", found: "\n\(text)")
            }
            // The replay sends nothing.
            let mock = try MockTeapot(har: file)
            try expect(recorded, found: try await session(NotesClient(teapot: mock)))
            try mock.verify()
            return "\(mock.requests.count) exchanges, replayed from \(ByteCount.text(text.utf8.count)) without secrets"
        }
    }
}
