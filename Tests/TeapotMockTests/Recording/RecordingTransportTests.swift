import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

@testable import TeapotMock

@Suite(.inTurn)
struct RecordingTransportTests {
    @Test func `is written complete, sorted and without times`() throws {
        let run = try RecordingRun(.off)
        let body = Teapot.Request.Body(Data(#"{ "a/b" : 1 }"#.utf8))
        let request = Teapot.Request(
            .post,
            path: "notes?b=1&a=%C3%BC+x",
            headerFields: ["Cookie": "x=y"],
            body: body
        )
        try run.exchange(request) { $0.answer(201, headers: ["Location": "/v1/notes/1"], body: "done") }
        let expected = #"""
            {"log": {
            "_baseURL": "http://notes.test/v1", "version": "1.2", "creator": {"name": "Teapot", "version": "1"},
            "comment": "Recorded by Teapot. Secrets are replaced by redacted-1, redacted-2 and so on, one for each value. All times are left out, so that \#
            recordings can be compared.",
            "entries": [{
            "startedDateTime": "1970-01-01T00:00:00.000Z", "time": 0, "cache": {},
            "timings": {"send": 0, "wait": 0, "receive": 0},
            "request": {
            "method": "POST", "url": "http://notes.test/v1/notes?b=1&a=%C3%BC+x", "httpVersion": "unknown",
            "headers": [
            {"name": "Content-Type", "value": "application/json"}, {"name": "Cookie", "value": "x=y"}
            ],
            "cookies": [{"name": "x", "value": "y"}], "headersSize": -1, "bodySize": -1,
            "queryString": [{"name": "b", "value": "1"}, {"name": "a", "value": "ü x"}],
            "postData": {"mimeType": "application/json", "params": [], "text": "{ \"a/b\" : 1 }"}
            },
            "response": {
            "status": 201, "statusText": "", "httpVersion": "unknown",
            "headers": [{"name": "Location", "value": "/v1/notes/1"}], "redirectURL": "/v1/notes/1",
            "cookies": [], "headersSize": -1, "bodySize": -1,
            "content": {"mimeType": "", "size": 4, "text": "done"}
            }}]}}
            """#
        let text = try run.text()
        let object = { (text: String) in try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary }
        #expect(try object(text) == object(expected))
        let names = text.matches(of: /\n    "(\w+)" :/).map(\.1)
        #expect(names == ["_baseURL", "comment", "creator", "entries", "version"])
    }

    @Test func `has the exchanges in the order of their start, but not those cancelled or under way`() throws {
        let run = try RecordingRun()
        let outcomes: [(path: String, end: (any Error)?)] = [
            ("0", nil), ("1", URLError(.cancelled)), ("2", nil), ("3", CancellationError()), ("4", nil),
        ]
        for (path, _) in outcomes {
            run.teapot.get(path, timeoutInterval: .infinity, deliveryQueue: .global()) { (_: NetworkResult) in }
        }
        for (hop, outcome) in zip(run.transport.hops, outcomes).reversed() {
            hop.respond(200)
            if outcome.path != "4" { hop.report(.finished(outcome.end)) }
        }
        #expect(try run.entries().map(\.request.url) == ["http://notes.test/v1/0", "http://notes.test/v1/2"])
    }

    @Test func `has failures, with the response if one came`() throws {
        let run = try RecordingRun()
        try run.exchange(Teapot.Request(path: "refused")) { $0.report(.finished(URLError(.cannotConnectToHost))) }
        try run.exchange(Teapot.Request(path: "cut")) { hop in
            hop.respond(200, headers: ["Content-Length": "10"])
            hop.report(.data(Data("half".utf8)))
            hop.report(.finished(URLError(.networkConnectionLost)))
        }
        let responses = try run.entries().map(\.response)
        #expect(responses.map(\.status) == [0, 200])
        #expect(responses.map(\.error) == ["URLError.cannotConnectToHost", "URLError.networkConnectionLost"])
        #expect(responses.map(\.content.text) == ["", "half"])
        #expect(responses.map(\.content.size) == [0, 4])
    }

    @Test func `has the body of a file, even if it is gone by then`() throws {
        let run = try RecordingRun()
        let folder = try TestSupport.TemporaryFolder()
        try folder.write("a file", to: "body")
        let file = folder.file("body")
        let request = try TransportRequest(
            URLRequest(url: #require(URL(string: "http://notes.test/"))),
            bodyFile: file
        )
        _ = run.recording.start(request) { _ in }
        try FileManager.default.removeItem(at: file)
        for hop in run.transport.hops { hop.answer(200) }
        #expect(try run.entries().map { $0.request.postData?.text } == ["a file"])
        let late = RecordedExchange(request).entry
        #expect(late.request.postData?.comment == "left out: the file could not be read")
    }

    @Test func `a body that can be read once is left out`() throws {
        let run = try RecordingRun()
        let body = Teapot.Request.Body.stream(AsyncStream<Data> { nil })
        try run.exchange(Teapot.Request(.post, path: "post", body: body)) { $0.answer(200) }
        let comment = "left out: it was an AsyncSequence, which can be read only once"
        #expect(try run.entries().map(\.request.postData?.comment) == [comment])
    }

    @Test func `changes nothing on the way`() throws {
        let run = try RecordingRun()
        let request = try URLRequest(url: #require(URL(string: "http://notes.test/")))
        let events = Locked<[String]>([])
        let marked = MarkedQueue()
        let task = run.recording.start(TransportRequest(request)) { event in
            #expect(marked.isCurrent)
            // An exchange is recorded before the client learns that it is complete.
            if event.isFinished { #expect((try? run.entries().count) == 1) }
            let data = event.data.map { String(decoding: $0, as: UTF8.self) }
            let name = event.isFinished ? "finished" : event.response == nil ? "sent" : "response"
            events.withLock { $0.append(data ?? name) }
        }
        let hop = try #require(run.transport.hops.first)
        #expect(task as? ManualTransport.Hop === hop)
        marked.queue.sync {
            hop.report(.sent(3))
            hop.respond(200)
            hop.report(.data(Data("a".utf8)))
            hop.report(.data(Data("b".utf8)))
            hop.report(.finished(nil))
        }
        #expect(events.withLock { $0 } == ["sent", "response", "a", "b", "finished"])
    }

    @Test func `replaces a file, or leaves it as it was`() throws {
        let run = try RecordingRun()
        let folder = try TestSupport.TemporaryFolder()
        try folder.write("old", to: "a.har")
        try run.recording.write(to: folder.file("a.har"))
        #expect(folder.text("a.har")?.hasPrefix("{\n") == true)
        let nowhere = folder.file("nowhere/a.har")
        let error = #expect(throws: TeapotError.self) { try run.recording.write(to: nowhere) }
        #expect(error?.type == .fileError)
        #expect(error?.failureReason?.contains(nowhere.path) == true)
        #expect(folder.names == ["a.har"])
    }

    // MARK: - Bodies

    static let bodies: [(body: Data, encoding: String?)] = [
        (Data(), nil), (Data("plain \u{1F375} text\r\n".utf8), nil), (Data("text\0".utf8), "base64"),
        (Data([0xEF, 0xBB, 0xBF]) + Data("{}".utf8), "base64"),
        (Data((0...255).map { UInt8($0) }), "base64"),
        (Data("\u{E9}".unicodeScalars.map { UInt8($0.value) }), "base64"),
        (Data("e\u{301} \u{2028} \" \\ / \u{7F}".utf8), nil),
        (Data(#"{ "b" : 1.10, "a" : 12345678901234567890 }"#.utf8), nil),
        (Data("{\"a\":1}\r\n{\"a\":2}".utf8), nil),
    ]

    @Test(arguments: bodies)
    func `keeps bodies byte for byte`(body: Data, encoding: String?) throws {
        let run = try RecordingRun()
        let type = encoding == nil ? "text/plain" : "image/png"
        try run.exchange(Teapot.Request(.put, path: "a", body: Teapot.Request.Body(body, contentType: type))) { hop in
            hop.respond(200, headers: ["Content-Type": type])
            for byte in body { hop.report(.data(Data([byte]))) }
            hop.report(.finished(nil))
        }
        let entry = try #require(try run.entries().first)
        #expect(entry.request.postData?.encoding == encoding)
        #expect(entry.response.content.encoding == encoding)
        #expect(entry.response.content.size == body.count)
        for text in [entry.request.postData?.text, entry.response.content.text] {
            let bytes = encoding == nil ? text.map { Data($0.utf8) } : text.flatMap { Data(base64Encoded: $0) }
            #expect(bytes == body)
        }
    }

    @Test func `a blocking call on a thread of the other transport fails at once`() async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL, transport: RecordingTransport())
        let types = Locked<[TeapotError.ErrorType?]>([])
        let plugin = WatchingPlugin(didReceive: { [weak teapot] _, _ in
            let outcome = Result { try teapot?.sendAndWait(Teapot.Request(path: "get?inner")) }
            if case .failure(let error) = outcome { types.withLock { $0.append((error as? TeapotError)?.type) } }
        })
        teapot.plugins = [plugin]
        await withCheckedContinuation { done in teapot.get("get?outer") { (_: NetworkResult) in done.resume() } }
        #expect(types.withLock { $0 } == [.preparationFailed])
    }

    // MARK: - Cookies

    @Test(arguments: [["theme=blue, role=admin; Path=/"], ["a=1, c=3; Path=/", "b=2; Path=/"]])
    func `cookies are recorded and replayed field by field`(cookies: [String]) async throws {
        let run = try RecordingRun(.off)
        try run.exchange(Teapot.Request(path: "notes")) { hop in
            var lines = FieldLines()
            lines.replace("Set-Cookie", with: cookies)
            if let url = hop.request.url {
                let head = ResponseHead(url: url, status: 200, lines: lines, hasSeparateCookies: true)
                hop.report(TransportEvent(.response(head)))
            }
            hop.report(.finished(nil))
        }
        let fields = try #require(try run.entries().first).response.headers
        #expect(fields == cookies.map { HARField("Set-Cookie", $0) })
        let mock = try run.replay()
        try await mock.get("notes")
        #expect(mock.cookies.all.count == cookies.count)
        #expect(Set(mock.cookies.all.map { "\($0.name)=\($0.value); Path=/" }) == Set(cookies))
    }
}
