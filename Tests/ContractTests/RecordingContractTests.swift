import LoopbackServer
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// A run against a server, recorded, and the same run by the recording.
@Suite(.inTurn)
struct RecordingContractTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.file("run.har") }

    init() throws {
        folder = try TemporaryFolder()
    }

    // MARK: - The run

    private static let credentials = Data("teapot-user:s3cret-pass".utf8).base64EncodedString()
    /// Longest first.
    private static let secrets = [
        "session=s3cret-cookie", "Bearer s3cret/bearer+1", "Basic \(credentials)", credentials, "s3cret/bearer+1",
        "s3cret-password",
        "s3cret-cookie",
        "s3cret-query", "s3cret-pass", "s3cret-form", "s3cret-key",
    ]

    private static var requests: [Teapot.Request] {
        let plain = #"{"title":"Tea 🫖","id":12345678901234567890}"#
        let note = #"{"title":"Tea","cups":1.50,"password":"s3cret-password"}"#
        let form = "user=ada&client_secret=s3cret-form"
        return [
            Teapot.Request(path: "get?page=2", headerFields: ["X-Note": "plain"]),
            Teapot.Request(path: "get?page=2", headerFields: ["X-Note": "once more"]),
            Teapot.Request(.head, path: "get"),
            Teapot.Request(path: "get?token=s3cret-query", headerFields: ["X-Api-Key": "s3cret-key"]),
            Teapot.Request(path: "anything/s3cret-query?q=s3cret-key", headerFields: ["X-Echo": "s3cret-query"]),
            Teapot.Request(.post, path: "post", body: Teapot.Request.Body(Data(plain.utf8))),
            Teapot.Request(.post, path: "post", body: Teapot.Request.Body(Data(note.utf8))),
            Teapot.Request(.put, path: "put", body: Teapot.Request.Body(Data([0xFF, 0xD8, 0x00]))),
            Teapot.Request(
                .post,
                path: "post",
                body: Teapot.Request.Body(Data(form.utf8), contentType: "application/x-www-form-urlencoded")
            ),
            Teapot.Request(path: "status/404"), Teapot.Request(path: "status/418"), Teapot.Request(path: "redirect/2"),
            Teapot.Request(path: "cookies/set?session=s3cret-cookie"), Teapot.Request(path: "cookies"),
            Teapot.Request(path: "image/png"), Teapot.Request(path: "gzip"), Teapot.Request(path: "stream/3"),
            Teapot.Request(path: "encoding/utf8"),
            Teapot.Request(
                path: "basic-auth/teapot-user/s3cret-pass",
                headerFields: ["Authorization": "Basic \(credentials)"]
            ),
            Teapot.Request(path: "bearer", headerFields: ["Authorization": "Bearer s3cret/bearer+1"]),
        ]
    }

    /// The result of a call, with a recording's placeholders in place of secrets.
    private struct Reply: Equatable {
        let status: Int?
        let headerFields: [String: String]
        let body: Data?

        init(_ outcome: Result<Teapot.Response, TeapotError>) {
            let response: HTTPURLResponse?
            switch outcome {
            case .success(let success): (response, body) = (success.http, Self.redacted(success.data))
            case .failure(let error): (response, body) = (error.response, error.data.map(Self.redacted))
            }
            status = response?.status
            // A recording leaves out the date.
            let fields = response.map { response in
                Teapot.HeaderFields(response).filter { $0.name.lowercased() != "date" }
                    .map { ($0.name, Self.redacted($0.value, named: $0.name)) }
            }
            headerFields = Dictionary(uniqueKeysWithValues: fields ?? [])
        }

        private static func redacted(_ value: String, named name: String) -> String {
            name.lowercased() == "set-cookie" ? SecretPolicy.replacement : redacted(value)
        }

        private static func redacted(_ text: String) -> String {
            secrets.reduce(text.unnumbered) { $0.replacing($1, with: SecretPolicy.replacement) }
        }

        private static func redacted(_ data: Data) -> Data {
            guard let text = String(data: data, encoding: .utf8) else { return data }
            let withoutCookies = text.replacing(/("cookies"\s*:\s*)\{[^}]*\}/) {
                "\($0.output.1)\"\(SecretPolicy.replacement)\""
            }
            return Data(redacted(withoutCookies).utf8)
        }
    }

    private static func replies(of teapot: Teapot) async -> [Reply] {
        var replies: [Reply] = []
        for request in requests { replies.append(Reply(await outcome(of: request, from: teapot))) }
        return replies
    }

    private func record(_ backend: Backend, to file: URL) async throws -> [Reply] {
        let recording = RecordingTransport()
        let teapot = Teapot(
            baseURL: try backend.teapot().baseURL,
            defaultDeliveryQueue: DispatchQueue(label: "recording"),
            transport: recording
        )
        let replies = await Self.replies(of: teapot)
        try recording.write(to: file)
        return replies
    }

    // MARK: - What is recorded

    @Test(arguments: Backend.servers)
    func `a recorded run is replayed to equal results, and no secret is in the file`(backend: Backend) async throws {
        let live = try await record(backend, to: file)
        #expect(live.allSatisfy { $0.status != nil })
        let mock = try MockTeapot(har: file)
        #expect(mock.baseURL == (try backend.teapot().baseURL))
        let replayed = await Self.replies(of: mock)
        for (request, (live, replayed)) in zip(Self.requests, zip(live, replayed)) {
            #expect(replayed.status == live.status, "\(request)")
            #expect(replayed.headerFields == live.headerFields, "\(request)")
            #expect(
                replayed.body.map { String(decoding: $0, as: UTF8.self) }
                    == live.body.map { String(decoding: $0, as: UTF8.self) },
                "\(request)"
            )
            #expect(replayed == live, "\(request)")
        }
        try mock.verify()
        let text = try #require(folder.text("run.har"))
        #expect(text.unnumbered.contains("/anything/<redacted>?q=<redacted>"))
        for secret in Self.secrets + ["s3cret", "s3cret%2Fbearer"] {
            let lines = text.split(separator: "\n").filter { $0.contains(secret) }
            #expect(lines.isEmpty, "\(secret)")
        }
    }

    // MARK: - Event streams

    private static let events = """
        : token=s3cret-comment \n\
        id: 1\n\
        data: {"access_token":"s3cret-event","note":"Tea 🫖"}\n\n\
        event: end\r\n\
        data: {\r\n\
        data: "user":{"password":\r\n\
        data: "s3cret-lines"}}\r\n\r\n\
        data: [DONE]\n\n
        """

    /// Sent in pieces, of which each secret spans two.
    private static let pieces = events.split(separator: "cret").map(String.init)

    @Test(arguments: Backend.carriers)
    func `a recorded event stream is replayed, and no secret is in the file or the log`(backend: Backend) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        let answer = Self.pieces.enumerated().map { Script.Step.send(($0.offset == 0 ? head : "cret") + $0.element) }
        let server = try LoopbackServer(scripts: (0..<2).map { _ in Script([.readRequest] + answer) })
        let recording = RecordingTransport(wrapping: backend.transport)
        let teapot = Teapot(baseURL: server.baseURL, transport: recording)
        let lines = Locked<[String]>([])
        let add = { @Sendable (line: String) in lines.withLock { $0.append(line) } }
        teapot.logger = Logger(level: .incomingAndOutgoingData) { add($0) }
        teapot.plugins = [CurlPrinter { add($0) }]
        let body = Teapot.Request.Body(Data(Self.events.utf8), contentType: "text/event-stream")
        let request = Teapot.Request(.post, path: "events", body: body)
        #expect(try await teapot.send(request).data == Data(Self.events.utf8))
        func received(_ teapot: Teapot) async throws -> [String] {
            var data: [String] = []
            for try await event in teapot.events(request, maximumReconnects: 0) { data.append(event.data) }
            return data
        }
        let live = try await received(teapot)
        #expect(live.count == 3)
        try recording.write(to: file)
        let mock = try MockTeapot(har: file)
        let replayed = try await received(mock)
        #expect(
            replayed.map(\.unnumbered) == [
                #"{"access_token":"<redacted>","note":"Tea 🫖"}"#, "{\n\"user\":{\"password\":\n\"<redacted>\"}}",
                "[DONE]",
            ]
        )
        add(try #require(folder.text("run.har")))
        let text = lines.withLock { $0.joined(separator: "\n") }
        #expect(!text.contains("s3cret"))
        #expect(text.contains("Tea 🫖"))
    }
}
