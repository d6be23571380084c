import Teapot
import TeapotMock

/// Tests without a server.
extension Walkthrough {
    func showTesting() async {
        await checklist.step(
            "test without a server",
            code: """
                let mock = MockTeapot(strictIn: .main, clock: ImmediateClock())
                mock.retryPolicy = RetryPolicy()
                try mock.overrideEndPoint("tea", withSequence: [.status(.serviceUnavailable), .json(["kind": "green"])])
                let tea = try await mock.get("tea", as: [String: String].self)
                """
        ) {
            let mock = MockTeapot(strictIn: .main, clock: ImmediateClock())
            mock.retryPolicy = RetryPolicy()
            try mock.overrideEndPoint("tea", withSequence: [.status(.serviceUnavailable), .json(["kind": "green"])])
            let tea = try await mock.get("tea", as: [String: String].self)
            try expect(["kind": "green"], found: tea)
            try expect(2, found: mock.requests.count)
            return "\(tea["kind"] ?? ""), on the second attempt, and the pause took no time"
        }

        await checklist.step("mock server-sent events") {
            let mock = MockTeapot(strictIn: .main, clock: ImmediateClock())
            let prices: [Teapot.ServerSentEvent] = [.init(data: "4", type: "tea"), .init(data: "5", type: "tea")]
            try mock.overrideEndPoint("prices", withSequence: [.events(prices), .status(.noContent)])
            var found: [String] = []
            for try await event in mock.events("prices") {
                found.append("\(event.type) \(event.data)")
            }
            try expect(["tea 4", "tea 5"], found: found)
            return found.joined(separator: ", ")
        }

        await checklist.step("record, and replay") {
            let password = "correct-horse"
            let session = { @Sendable (client: NotesClient) async throws in
                let note = try await client.create(Note(id: 1, title: "Buy tea"))
                return [note.title, try await client.logIn(username: "ada", password: password)]
            }
            let recorder = RecordingTransport()
            let recorded = try await session(NotesClient(teapot: Teapot(baseURL: baseURL, transport: recorder)))
            let file = directory.appending(path: "notes.har")
            try recorder.write(to: file)

            let text = try String(contentsOf: file, encoding: .utf8)
            for secret in [password, Data("ada:\(password)".utf8).base64EncodedString()] where text.contains(secret) {
                throw Mismatch(expected: "no \(secret) in the recording", found: "\n\(text)")
            }
            // The replay sends nothing.
            let mock = try MockTeapot(har: file)
            try expect(recorded, found: try await session(NotesClient(teapot: mock)))
            try mock.verify()
            return "\(mock.requests.count) exchanges, replayed from \(text.utf8.count) bytes without secrets"
        }
    }
}
