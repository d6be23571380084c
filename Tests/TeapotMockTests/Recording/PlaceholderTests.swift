@testable import Teapot
import TestSupport
import TestTraits
import Testing

@testable import TeapotMock

/// What stands for a secret in a recording, and what it matches in a replay.
@Suite(.inTurn)
struct PlaceholderTests {
    private let folder: TestSupport.TemporaryFolder
    private var file: URL { folder.file("run.har") }

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    private static func request(_ path: String, body: String? = nil) -> Teapot.Request {
        Teapot.Request(
            body == nil ? .get : .post,
            path: Teapot.Path(path),
            body: body.map { Teapot.Request.Body(Data($0.utf8), contentType: "text/plain") }
        )
    }

    /// The text of each response, or the type of the error.
    private static func texts(_ teapot: Teapot, _ requests: [Teapot.Request]) async -> [String] {
        var texts: [String] = []
        for request in requests {
            do {
                texts.append(try await teapot.send(request).data.text)
            } catch {
                texts.append("\(error.type)")
            }
        }
        return texts
    }

    // MARK: - In a recording

    @Test func `each value has one, the same in each of its forms`() throws {
        let run = try RecordingRun()
        try run.exchange(Teapot.Request(path: "a?token=one%2F1+x&sid=two-two&otp=one%2F1%20x")) {
            $0.answer(200, body: #"{"token":"one\/1 x","note":"two-two","echo":"b25lLzEgeA==","pin":"three3"}"#)
        }
        let text = try run.text()
        #expect(text.contains("a?token=redacted-1&sid=redacted-2&otp=redacted-1"))
        let body = #"{"token":"redacted-1","note":"redacted-2","echo":"redacted-1","pin":"redacted-3"}"#
        #expect(text.contains(body.replacing("\"", with: "\\\"")))
    }

    @Test func `is valid wherever it stands`() throws {
        for text in ["redacted-1", "redacted-120"] {
            #expect(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-"])) == text)
            #expect(XMLRedactor.decoded(text) == text)
            #expect(try JSONWriter.data(of: text).text == "\"\(text)\"")
            #expect(Placeholders.isPlaceholder(text))
        }
        for text in ["redacted-", "redacted-1a", "xredacted-1", "redacted-1234567890", "redacted-9223372036854775807"] {
            #expect(!Placeholders.isPlaceholder(text))
        }
    }

    @Test func `a number that counts something stays a number`() throws {
        let run = try RecordingRun(keptMediaTypes: ["application/xml"])
        let json =
            #"{"session_seconds":3600,"auth_attempts_failed":1,"otp":123456,"otp_code":234567,"token":-1,"pin":null}"#
        let xml =
            "<a><MaxSessionDuration>3600</MaxSessionDuration><SessionSeconds>3600</SessionSeconds><Otp>123456</Otp></a>"
        try run.exchange(Self.request("a")) { $0.answer(200, body: json) }
        try run.exchange(Self.request("b")) { hop in
            hop.respond(200, headers: ["Content-Type": "application/xml"])
            hop.report(.data(Data(xml.utf8)))
            hop.report(.finished(nil))
        }
        let bodies = try run.entries().map { $0.response.content.text }
        let expected = #""otp":"<redacted>","otp_code":"<redacted>","token":"<redacted>","pin":null}"#
        #expect(bodies[0] == #"{"session_seconds":3600,"auth_attempts_failed":1,"# + expected)
        #expect(bodies[1] == xml.replacing("123456", with: "<redacted>"))
    }

    @Test func `a date is replaced under its name, and nowhere else`() throws {
        let run = try RecordingRun()
        try run.exchange(Self.request("a")) {
            $0.answer(
                200,
                body:
                    #"{"session":{"at":"2026-11-28T10:41:13.8Z"},"at":"2026-11-28T10:41:13.8Z","on":"2026-11-28T10:59:00Z"}"#
            )
        }
        let text = try run.entries().first?.response.content.text
        #expect(text == #"{"session":"<redacted>","at":"2026-11-28T10:41:13.8Z","on":"2026-11-28T10:59:00Z"}"#)
    }

    static let leftOut: [(String, Data)] = [
        (
            "multipart/related; boundary=b",
            Data("--b\r\n\r\n{\"access_token\":\"x\"}\r\n--b\r\n\r\n".utf8) + Data([0xFF, 0])
        ),
        ("multipart/mixed; boundary=b", Data([0xFF, 0])),
        ("application/x-tea", Data(#" {"access_token":"x"#.utf8) + Data([0xFF])),
        ("application/octet-stream", Data([0xFF, 0xFE, 0x7B, 0])),
        ("application/x-tea", Data("[\"x".utf8) + Data([0xFF])), ("application/x-tea", Data("<a>".utf8) + Data([0])),
    ]

    @Test(arguments: brief(leftOut))
    func `data that may hold text is left out, unless its type is kept`(_ argument: Brief<(String, Data)>) throws {
        let (type, data) = argument.value
        for isKept in [false, true] {
            let run = try RecordingRun(keptMediaTypes: isKept ? [MediaType(type).name] : [])
            try run.exchange(Self.request("a")) { hop in
                hop.respond(200, headers: ["Content-Type": type])
                hop.report(.data(data))
                hop.report(.finished(nil))
            }
            let content = try #require(try run.entries().first?.response.content)
            #expect(content.text == (isKept ? data.base64EncodedString() : nil))
            #expect((content.comment == nil) == isKept)
        }
    }

    @Test(arguments: ["application/javascript", "application/yaml", "text/plain"])
    func `text that is not UTF-8 is left out, also if its type is kept`(type: String) throws {
        let run = try RecordingRun(keptMediaTypes: [type])
        try run.exchange(Self.request("a")) { hop in
            hop.respond(200, headers: ["Content-Type": type])
            hop.report(.data(Data("token=x // caf".utf8) + Data([0xE9])))
            hop.report(.finished(nil))
        }
        #expect(try run.entries().first?.response.content.text == nil)
    }

    @Test func `numbers of a server are not counted on`() throws {
        let run = try RecordingRun()
        try run.exchange(Self.request("a")) {
            $0.answer(200, body: #"{"token":"redacted-9223372036854775807","pin":"hunter22"}"#)
        }
        let text = try run.text()
        #expect(text.contains(#"{\"token\":\"redacted-1\",\"pin\":\"redacted-2\"}"#))
    }

    // MARK: - In a replay

    /// Lists of notes, of which each names the token of the next one.
    private static func pages(_ server: MockTeapot, linked: Bool) throws {
        let tokens = ["", "s3cret-b", "s3cret-c"]
        for (index, token) in tokens.enumerated() {
            let next = index + 1 < tokens.count ? tokens[index + 1] : nil
            let link = next.map { ["Link": "<http://notes.test/notes?token=\($0)>; rel=\"next\""] } ?? [:]
            let body = linked ? "[\(index)]" : #"{"notes":[\#(index)],"token":\#(next.map { "\"\($0)\"" } ?? "null")}"#
            try server.overrideEndPoint(
                "notes",
                query: token.isEmpty ? [:] : ["token": token],
                with: .data(Data(body.utf8), contentType: "application/json", headerFields: link)
            )
        }
    }

    private struct Page: Decodable {
        let notes: [Int]
        let token: String?
    }

    private static func notes(_ teapot: Teapot, linked: Bool) async throws -> [[Int]] {
        var pages: [[Int]] = []
        if linked {
            for try await page in teapot.pages("notes", as: [Int].self) { pages.append(page.value) }
        } else {
            let all = teapot.pages(Teapot.Request(path: "notes"), as: Page.self) { page, _ in
                page.token.map { Teapot.Request(path: "notes?token=\($0)") }
            }
            for try await page in all { pages.append(page.value.notes) }
        }
        return pages
    }

    @Test(arguments: [false, true])
    func `pages by a secret token are those that were recorded`(linked: Bool) async throws {
        let server = MockTeapot(strictIn: .module)
        try Self.pages(server, linked: linked)
        let recording = RecordingTransport(wrapping: server.transport.value)
        let teapot = Teapot(baseURL: try #require(URL(string: "http://notes.test")), transport: recording)
        #expect(try await Self.notes(teapot, linked: linked) == [[0], [1], [2]])
        try recording.write(to: file)
        #expect(folder.text("run.har")?.contains("s3cret") == false)
        let mock = try MockTeapot(har: file)
        #expect(try await Self.notes(mock, linked: linked) == [[0], [1], [2]])
        try mock.verify()
    }

    private func mock(_ entries: [(url: String, body: String?, answer: String)]) throws -> MockTeapot {
        let entries = entries.map { entry in
            HAREntry(
                request: HARRequest(
                    method: entry.body == nil ? "GET" : "POST",
                    url: "http://notes.test/\(entry.url)",
                    postData: entry.body.map { HARBody(mimeType: "text/plain", text: $0) }
                ),
                response: HARResponse(status: 200, content: HARBody(mimeType: "text/plain", text: entry.answer))
            )
        }
        try HAR(entries: entries).encoded().write(to: file)
        return try MockTeapot(har: file)
    }

    @Test func `it stands for itself and for one value, the first that is met`() async throws {
        let mock = try mock([
            ("a?token=redacted-1", nil, "a"), ("b?token=redacted-1", nil, "b"), ("b?token=redacted-2", nil, "b2"),
            ("c", "pin=redacted-1&x=redacted-2", "c"),
        ])
        let requests = [
            Self.request("b?token=redacted-1"), Self.request("a?token=one"), Self.request("a?token=two"),
            Self.request("b?token=one"), Self.request("b?token=two"), Self.request("b?token=three"),
            Self.request("c", body: "pin=one&x=three"), Self.request("c", body: "pin=one&x=two"),
            Self.request("a?token=redacted-2"), Self.request("a?token=redacted-1"),
        ]
        let texts = await Self.texts(mock, requests)
        let none = "unexpectedRequest"
        #expect(texts == ["b", "a", none, "b", "b2", none, none, "c", none, "a"])
    }

    @Test func `another one is not its value`() async throws {
        let mock = try mock([("a", #"{"session":"redacted-1","op":"x"}"#, "a"), ("b?session=redacted-1", nil, "b")])
        let requests = [
            Self.request("a", body: #"{"session":"redacted-2","op":"x"}"#), Self.request("b?session=redacted-2"),
            Self.request("a", body: #"{"session":123456,"op":"x"}"#), Self.request("b?session=123456"),
        ]
        #expect(await Self.texts(mock, requests) == ["unexpectedRequest", "unexpectedRequest", "a", "b"])
    }

    @Test func `one text with one of them twice holds the same value twice`() async throws {
        let mock = try mock([("a", "redacted-1,redacted-1;redacted-2", "a")])
        let texts = await Self.texts(mock, ["x,y;z", "x,x;z", "x,x;y", "x,x;z"].map { Self.request("a", body: $0) })
        #expect(texts == ["unexpectedRequest", "a", "unexpectedRequest", "a"])
    }

    @Test func `a value is the same in each of its forms`() async throws {
        let mock = try mock([("a?token=redacted-1", nil, "a"), ("b", #"{"token":"redacted-1"}"#, "b")])
        let requests = [
            Self.request("a?token=x%2Fy%20z"), Self.request("b", body: #"{"token":"x\/y z"}"#),
            Self.request("a?token=x%2Fy+z"), Self.request("a?token=eC95IHo="),
        ]
        #expect(await Self.texts(mock, requests) == ["a", "b", "a", "a"])
    }

    @Test func `of requests at the same time, one gives it its value`() async throws {
        let mock = try mock([("a?token=redacted-1", nil, "a")])
        let answered = try await withThrowingTaskGroup(of: Int?.self) { group in
            for index in 0..<50 {
                group.addTask { try? await mock.get("a?token=t\(index)").status == 200 ? index : nil }
            }
            return try await group.compactMap(\.self).reduce(into: []) { $0.append($1) }
        }
        #expect(answered.count == 1)
        for index in answered { #expect(try await mock.get("a?token=t\(index)").status == 200) }
    }

    @Test func `a cookie keeps its name and its attributes, and the client sends it back`() async throws {
        let server = MockTeapot(strictIn: .module)
        let cookies = ["Set-Cookie": "sid=\"s3cret-1\"; Path=/; HttpOnly"]
        try server.overrideEndPoint(
            "in",
            with: .data(Data("in".utf8), contentType: "text/plain", headerFields: cookies)
        )
        try server.overrideEndPoint("notes", with: .data(Data("notes".utf8), contentType: "text/plain"))
        let recording = RecordingTransport(wrapping: server.transport.value)
        let teapot = Teapot(baseURL: try #require(URL(string: "http://notes.test")), transport: recording)
        let live = await Self.texts(teapot, [Self.request("in"), Self.request("notes")])
        try recording.write(to: file)
        let text = try #require(folder.text("run.har"))
        #expect(!text.contains("s3cret"))
        #expect(text.contains(#""sid=redacted-1; Path=/; HttpOnly""#))
        let mock = try MockTeapot(har: file)
        #expect(await Self.texts(mock, [Self.request("in"), Self.request("notes")]) == live)
        #expect(mock.requests.last?.headerFields["Cookie"] == "sid=redacted-1")
    }

    // MARK: - Archives of other tools

    @Test func `text is replayed in the charset of its media type`() async throws {
        let rows: [(String, String, [UInt8])] = [
            ("text/plain; charset=iso-8859-1", "th\u{E9}", [0x74, 0x68, 0xE9]),
            ("text/plain; charset=ISO-8859-1", "\u{20AC}", [0x80]),
            ("text/plain; charset=utf-8", "\u{E9}", [0xC3, 0xA9]),
            ("text/plain", "\u{E9}", [0xC3, 0xA9]), ("text/plain; charset=tea", "\u{E9}", [0xC3, 0xA9]),
            ("text/plain; charset=utf-16le", "\u{E9}", [0xE9, 0]),
        ]
        for (type, text, bytes) in rows {
            let response = HARResponse(
                status: 200,
                headers: [HARField("Content-Type", type)],
                content: HARBody(mimeType: type, text: text)
            )
            let entry = HAREntry(request: HARRequest(method: "GET", url: "http://notes.test/a"), response: response)
            try HAR(entries: [entry]).encoded().write(to: file)
            let mock = try MockTeapot(har: file)
            let answer = try await mock.get("a")
            #expect(Array(answer.data) == bytes, "\(type)")
        }
    }

    @Test func `characters that a charset does not have are an error with the entry's number`() async throws {
        let type = "text/plain; charset=iso-8859-1"
        let response = HARResponse(
            status: 200,
            headers: [HARField("Content-Type", type)],
            content: HARBody(mimeType: type, text: "\u{1FAD6}")
        )
        let entry = HAREntry(request: HARRequest(method: "GET", url: "http://notes.test/a"), response: response)
        try HAR(entries: [entry]).encoded().write(to: file)
        let mock = try MockTeapot(har: file)
        let error = await thrown { () throws(TeapotError) in try await mock.get("a") }
        #expect(error?.failureReason == "entry 1: its body is text with characters that its charset does not have")
    }

    @Test(arguments: ["a\r\n b", "a\nb", "a\rb", "a\r\nb\r\n"])
    func `a line break in a field is no part of it`(value: String) async throws {
        let response = HARResponse(
            status: 200,
            headers: [HARField("X-Tea", value)],
            content: HARBody(mimeType: "text/plain", text: "ok")
        )
        let entry = HAREntry(request: HARRequest(method: "GET", url: "http://notes.test/a"), response: response)
        try HAR(entries: [entry]).encoded().write(to: file)
        #expect(try await MockTeapot(har: file).get("a").headerFields["X-Tea"] == "a, b")
    }

    // MARK: - Adding what is missing

    @Test func `what is missing is sent, and written with the rest`() async throws {
        let server = MockTeapot(strictIn: .module)
        for name in ["a", "b", "c"] {
            try server.overrideEndPoint(name, with: .json(["name": name, "token": "s3cret-\(name)"]))
        }
        let first = RecordingTransport(wrapping: server.transport.value)
        let teapot = Teapot(baseURL: try #require(URL(string: "http://notes.test")), transport: first)
        let live = await Self.texts(teapot, ["a", "b"].map { Self.request($0) })
        try first.write(to: file)

        let recorder = RecordingTransport(wrapping: server.transport.value)
        let mock = try MockTeapot(har: file, recordingMissingOver: recorder)
        let texts = await Self.texts(mock, ["b", "c", "a"].map { Self.request($0) })
        #expect(
            texts == [
                #"{"name":"b","token":"redacted-2"}"#, #"{"name":"c","token":"s3cret-c"}"#,
                #"{"name":"a","token":"redacted-1"}"#,
            ]
        )
        #expect(server.requests.map { $0.url.lastPathComponent } == ["a", "b", "c"])
        try recorder.write(to: file)
        // Once more, so that nothing is added twice.
        try recorder.write(to: file)
        #expect(folder.text("run.har")?.contains("s3cret") == false)

        let all = try MockTeapot(har: file)
        let replayed = await Self.texts(all, ["a", "b", "c"].map { Self.request($0) })
        #expect(replayed.prefix(2).map(\.unnumbered) == live.map { $0.replacing(/s3cret-./, with: "<redacted>") })
        #expect(replayed.last == #"{"name":"c","token":"redacted-3"}"#)
        try all.verify()
    }

    @Test func `what is added can send back what the recording gave`() async throws {
        let server = MockTeapot(strictIn: .module)
        try server.overrideEndPoint("in", with: .json(["session": "s3cret-1"]))
        try server.overrideEndPoint("notes", query: ["session": "redacted-1"], with: .json(["pin": "s3cret-2"]))
        let first = RecordingTransport(wrapping: server.transport.value)
        let teapot = Teapot(baseURL: try #require(URL(string: "http://notes.test")), transport: first)
        _ = await Self.texts(teapot, [Self.request("in")])
        try first.write(to: file)
        let recorder = RecordingTransport(wrapping: server.transport.value)
        let requests = [Self.request("in"), Self.request("notes?session=redacted-1")]
        _ = await Self.texts(try MockTeapot(har: file, recordingMissingOver: recorder), requests)
        try recorder.write(to: file)
        let texts = await Self.texts(try MockTeapot(har: file), requests)
        #expect(texts == [#"{"session":"redacted-1"}"#, #"{"pin":"redacted-2"}"#])
    }

    @Test func `a recording to which something is added must be there`() throws {
        let error = #expect(throws: TeapotError.self) {
            try MockTeapot(har: folder.file("none.har"), recordingMissingOver: RecordingTransport())
        }
        #expect(error?.type == .missingMockFile)
    }
}
