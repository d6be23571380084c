import LoopbackServer
import Teapot
import TeapotMock
import TestTraits
import Testing

extension MockTeapot {
    func expectVerified(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(throws: Never.self, sourceLocation: sourceLocation) { try self.verify() }
    }
}

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
        let mock = MockTeapot(bundle: .module)
        try mock.overrideEndPoint("notes", method: .get, with: .file("notes"))
        try mock.overrideEndPoint("notes", method: .post, with: .json(["id": 3, "title": "Rinse"], status: .created))
        try mock.overrideEndPoint("users/:id", with: .encoding(User(name: "Ada")))
        try mock.overrideEndPoint("search", query: ["q": "tea"], with: .status(.noContent))
        try mock.overrideEndPoint("slow", with: .status(.ok).delayed(by: .seconds(20)))
        try mock.overrideEndPoint("offline", with: .failure(.notConnectedToInternet))

        let client = NotesClient(teapot: mock)
        _ = try await client.add(Note(id: 3, title: "Rinse"))
        let request = try #require(mock.requests(to: "notes", method: .post).first)
        #expect(try request.decode(Note.self).title == "Rinse")
        #expect(request.headerFields["content-type"] == "application/json")

        #expect(try await client.notes().count == 2)
        #expect(try await mock.get("users/1", as: User.self).name == "Ada")
        #expect(try await mock.get("search?q=tea").status == 204)
        let error = await #expect(throws: TeapotError.self) { try await mock.get("offline") }
        #expect(error?.type == .noResponse)
        #expect(mock.findings.count == 1)
    }

    @Test func answersInTurn() async throws {
        let mock = MockTeapot(bundle: .module)
        try mock.overrideEndPoint(
            "tea",
            withSequence: [.status(.serviceUnavailable), .failure(.timedOut), .json(["kind": "green"])]
        )
        #expect(try await PatientClient(teapot: mock, clock: ImmediateClock()).tea() == "green")
        mock.expectVerified()
    }

    @Test func answersFromTheRequest() async throws {
        let mock = MockTeapot(bundle: .module)
        try mock.overrideEndPoint("users/:id", method: .put) { request in
            try .json(["id": request.pathParameters["id"] ?? "", "name": request.json?.dictionary?["name"] ?? ""])
        }
        let answer = try await mock.put("users/1", body: User(name: "Ada")).json?.dictionary
        #expect(answer as? [String: String] == ["id": "1", "name": "Ada"])
    }

    @Test func saysWhatComesNearest() async throws {
        let error = await #expect(throws: TeapotError.self) {
            let mock = MockTeapot(strictIn: .module)
            try mock.overrideEndPoint("notes", method: .get, query: ["page": 2], with: .file("notes"))
            try await mock.get("notes?page=1")
        }
        #expect(error?.failureReason == #"the query item page is "1", not "2""#)
    }

    struct Step: Decodable, Sendable {
        let done: Int
    }

    @Test func showsProgress() async throws {
        let clock = TestClock()
        let mock = MockTeapot(strictIn: .module, clock: clock)
        let response = MockResponse.pieces(
            ["{\"done\": 1}\n{\"do", "ne\": 2}\n"],
            every: .seconds(10),
            contentType: "application/x-ndjson"
        )
        try mock.overrideEndPoint("job", with: response.neverEnding())
        var steps = try await mock.bytes("job").lines(as: Step.self).makeAsyncIterator()
        #expect(try await steps.next()?.done == 1)
        await clock.advanceToNext()  // 10 seconds, until the second piece
        #expect(try await steps.next()?.done == 2)
        await clock.advanceToNext()  // the timeout of the call
        await #expect(throws: TeapotError.self) { try await steps.next() }
    }

    @Test func triesAgain() async throws {
        let clock = TestClock()
        let mock = MockTeapot(strictIn: .module, clock: clock)
        try mock.overrideEndPoint(
            "tea",
            withSequence: [
                .status(.serviceUnavailable, headerFields: ["Retry-After": "120"]),
                .status(.ok).delayed(by: .seconds(60)),
                .json(["kind": "green"]),
            ]
        )
        async let tea = PatientClient(teapot: mock, clock: clock).tea()
        await clock.advanceToNext()  // 120 seconds, which the server asked for
        await clock.advanceToNext()  // 15 seconds, the timeout of the call
        await clock.advanceToNext()  // 1 second, the client's own pause
        #expect(try await tea == "green")
        #expect(mock.requests.map(\.time) == [.zero, .seconds(120), .seconds(136)])
    }

    @Test func failsAtTheLineOfTheCaller() throws {
        let mock = MockTeapot(strictIn: .module)
        try mock.overrideEndPoint("tea", with: .status(.ok))
        let line = #line + 2
        withKnownIssue("the mock was not used as declared, which is what this test provokes") {
            mock.expectVerified()
        } matching: { issue in
            issue.sourceLocation?.line == line
        }
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
            let recorder = RecordingTransport()
            let client = NotesClient(teapot: Teapot(baseURL: server, transport: recorder))
            _ = try await client.notes()
            try recorder.write(to: recording)

            let isRecording = ProcessInfo.processInfo.environment["RECORD"] != nil
            let teapot = isRecording ? Teapot(baseURL: server, transport: recorder) : try MockTeapot(har: recording)
            #expect(teapot is MockTeapot)
        }
        embedded.stop()
        let mock = try MockTeapot(har: recording)
        let notes = try await NotesClient(teapot: mock).notes()
        #expect(notes.map(\.title) == ["Buy tea", "Descale the kettle"])
        try mock.verify()
    }
}
