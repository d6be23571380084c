import LoopbackServer
import Teapot
import TeapotMock
import TestTraits
import Testing

//: ScriptingResponses 8

private struct User: Codable {
    let name: String
}

/// A client that tries again, after as long as the server asks for.
private struct PatientClient {
    let teapot: Teapot
    let clock: any Clock<Duration>

    func tea() async throws -> String? {
        while true {
            do {
                return try await teapot.get("tea").json?.dictionary?["kind"] as? String
            } catch {
                let seconds = error.response?.value(forHTTPHeaderField: "Retry-After").flatMap(Int.init)
                try await clock.sleep(for: .seconds(seconds ?? 1))
            }
        }
    }
}

@Suite(.inTurn)
struct ScriptingSamples {
    @Test func answersEachEndPoint() async throws {
        //: ScriptingResponses 1

        //: ScriptingResponses 6

        #expect(try await client.notes().count == 2)
        #expect(try await mock.get("users/1", as: User.self).name == "Ada")
        #expect(try await mock.get("search?q=tea").status == 204)
        #expect(await status(of: mock, .json(Note(id: 4, title: "Rest")), at: "notes") == 409)
        #expect(await status(of: mock, .form(["grant_type": "password"]), at: "token") == 403)
        let error = await #expect(throws: TeapotError.self) { try await mock.get("offline") }
        #expect(error?.type == .noResponse)
        #expect(mock.findings.count == 1)
    }

    private func status(of mock: MockTeapot, _ body: Teapot.Request.Body, at path: Teapot.Path) async -> Int? {
        let error = await #expect(throws: TeapotError.self) {
            try await mock.send(Teapot.Request(.post, path: path, body: body))
        }
        return error?.response?.statusCode
    }

    @Test func answersInTurn() async throws {
        let mock = MockTeapot(strictIn: .module)
        //: ScriptingResponses 2
        #expect(try await PatientClient(teapot: mock, clock: ImmediateClock()).tea() == "green")
        mock.expectVerified()
    }

    @Test func answersFromTheRequest() async throws {
        let mock = MockTeapot(strictIn: .module)
        //: ScriptingResponses 3
        let answer = try await mock.put("users/1", body: User(name: "Ada")).json?.dictionary
        #expect(answer as? [String: String] == ["id": "1", "name": "Ada"])
    }

    @Test func saysWhatComesNearest() async throws {
        let error = await #expect(throws: TeapotError.self) {
            //: ScriptingResponses 7
        }
        #expect(error?.failureReason == #"the query item page is "1", not "2""#)
    }

    struct Step: Decodable, Sendable {
        let done: Int
    }

    //: ControllingTime 2

    //: ControllingTime 1

    /// The lines of the failures that the test below provokes, which are not its own.
    nonisolated private static let provoked = Locked<[Int]?>(nil)

    @Test(
        .filterIssues { issue in
            provoked.withLock { lines in
                guard lines != nil, let line = issue.sourceLocation?.line else { return true }
                lines?.append(line)
                return false
            }
        }
    )
    func failsAtTheLineOfTheCaller() throws {
        let mock = MockTeapot(strictIn: .module)
        try mock.overrideEndPoint("tea", with: .status(.ok))
        Self.provoked.withLock { $0 = [] }
        mock.expectVerified()
        let line = #line - 1
        let lines = Self.provoked.withLock { $0.take() }
        #expect(lines == [line])
    }
}

/// A session that is recorded, and replayed.
@Suite(.inTurn)
struct RecordingSamples {
    @Test func recordsAndReplays() async throws {
        let body = #"[{"id": 1, "title": "Buy tea"}, {"id": 2, "title": "Descale the kettle"}]"#
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        let embedded = try LoopbackServer(scripts: [Script([.readRequest, .send(head + body)])])
        let server = embedded.baseURL
        let recording = FileManager.default.temporaryDirectory.appending(path: "Notes-\(UUID().uuidString).har")
        defer { try? FileManager.default.removeItem(at: recording) }
        do {
            //: RecordingAndReplaying 1

            //: RecordingAndReplaying 5
            #expect(teapot is MockTeapot)
        }
        embedded.stop()
        //: RecordingAndReplaying 4
        #expect(notes.map(\.title) == ["Buy tea", "Descale the kettle"])
        try mock.verify()
    }

    @Test func recordsWhatIsMissing() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
        let bodies = [#"{"session": "Tea at noon", "id": 1}"#, #"["green", "black"]"#]
        let scripts = bodies.map { Script([.readRequest, .send("\(head)\($0.utf8.count)\r\n\r\n\($0)")]) }
        let server = try LoopbackServer(scripts: scripts)
        let recording = FileManager.default.temporaryDirectory.appending(path: "Notes-\(UUID().uuidString).har")
        defer { try? FileManager.default.removeItem(at: recording) }
        do {
            //: RecordingAndReplaying 2
            try await Teapot(baseURL: server.baseURL, transport: recorder).get("lecture")
            try recorder.write(to: recording)
            #expect(try await MockTeapot(har: recording).get("lecture").text == bodies[0])
        }
        let recorder = RecordingTransport()
        //: RecordingAndReplaying 6
        #expect(tags.text == bodies[1])
        server.stop()
        let both = try MockTeapot(har: recording)
        #expect(try await both.get("lecture").text == bodies[0])
        #expect(try await both.get("tags").text == bodies[1])
    }

    @Test func keepsXML() async throws {
        let body = "<ListBucketResult><Contents><Key>tea.txt</Key></Contents></ListBucketResult>"
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        let server = try LoopbackServer(scripts: [Script([.readRequest, .send(head + body)])])
        //: RecordingAndReplaying 3
        try await Teapot(baseURL: server.baseURL, transport: recorder).get("files")
        let recording = FileManager.default.temporaryDirectory.appending(path: "Files-\(UUID().uuidString).har")
        defer { try? FileManager.default.removeItem(at: recording) }
        try recorder.write(to: recording)
        #expect(try await MockTeapot(har: recording).get("files").text == body)
    }
}
