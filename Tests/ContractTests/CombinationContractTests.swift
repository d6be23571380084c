import Foundation
import Teapot
import TeapotCache
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Features that users have at the same time, whatever answers. Those with a cache are in `CachedCallContractTests`.
@Suite(.inTurn)
struct CombinationContractTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    // MARK: - Retries, resumed downloads, and a refreshed credential

    /// A file of 100,000 bytes. A part of it is only for `Bearer 1`, and the first two responses break off.
    private static func file(_ request: ScriptedService.Seen) -> ScriptedAnswer {
        let text = String(repeating: "tea, cups", count: 12_000).prefix(100_000)
        let tag = (name: "ETag", value: "\"v1\"")
        guard let range = request.header("Range") else {
            return ScriptedAnswer(200, [tag], String(text)).breakingOff(after: 30_000)
        }
        guard request.credential == "Bearer 1" else { return ScriptedAnswer(401) }
        let first = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
        let fields = [tag, (name: "Content-Range", value: "bytes \(first)-99999/100000")]
        let answer = ScriptedAnswer(206, fields, String(text.dropFirst(first)))
        return first < 50_000 ? answer.breakingOff(after: 40_000) : answer
    }

    @Test(arguments: Backend.scriptable, [true, false])
    func `a download that breaks off goes on where it was, with the credential that was refreshed meanwhile`(
        _ backend: Backend,
        inOneCall: Bool
    ) async throws {
        let (service, issuer) = (try ScriptedService(backend, answer: Self.file), TokenIssuer())
        let teapot = service.client()
        teapot.authenticator = issuer.authenticator(.bearer("0"))
        teapot.retryPolicy = inOneCall ? RetryPolicy(baseDelay: .zero) : nil
        let last = Locked<Teapot.TransferProgress?>(nil)
        let download = { [folder] () async throws(TeapotError) -> Teapot.Response in
            try await teapot.download("tea", to: folder.file("tea"), resumes: true) { progress in
                last.withLock { $0 = progress }
            }
        }
        for _ in 0..<(inOneCall ? 0 : 2) {
            let error = await thrown { () throws(TeapotError) in try await download() }
            #expect(error?.type == .dataTaskError)
            #expect(folder.names == ["tea.partial", "tea.partial.json"])
        }
        #expect(try await download().status == 206)
        let whole = String(repeating: "tea, cups", count: 12_000).prefix(100_000)
        #expect(folder.text("tea") == String(whole))
        #expect(folder.names == ["tea"])
        #expect(last.withLock { $0 } == Teapot.TransferProgress(bytes: 100_000, expectedBytes: 100_000))
        #expect(issuer.refreshes == [.bearer("0")])
        let requests = service.requests
        #expect(requests.map(\.credential) == ["Bearer 0", "Bearer 0", "Bearer 1", "Bearer 1"])
        #expect(requests.map { $0.header("If-Range") } == [nil, "\"v1\"", "\"v1\"", "\"v1\""])
        // The request with the new credential is the same as the one that was rejected.
        #expect(requests.map { $0.header("Range") } == [nil, "bytes=29999-", "bytes=29999-", "bytes=69998-"])
    }

    // MARK: - Recording and streams

    private static let lines = (1...5).map { #"{"number":\#($0),"access_token":"s3cret-token-\#($0)"}"# }

    /// Sent in pieces that end within lines and within secrets.
    private static func stream(_ request: ScriptedService.Seen) -> ScriptedAnswer {
        let text = lines.joined(separator: "\n") + "\n"
        var answer = ScriptedAnswer(200, [("Content-Type", "application/x-ndjson")], text)
        switch request.path {
        case "events":
            let events = lines.enumerated().map { "id: \($0.offset)\ndata: \($0.element)\n\n" }.joined()
            answer = ScriptedAnswer(200, [("Content-Type", "text/event-stream")], events)
        case "cut":
            answer = answer.breakingOff(after: lines[0].utf8.count * 3 + 3)
        default: break
        }
        answer.pieceSize = 17
        return answer
    }

    /// What the readers of the streams get, and the file of a download.
    private func received(by teapot: Teapot) async -> [String] {
        var received: [String] = []
        do {
            for try await line in try await teapot.bytes("lines").lines { received.append("line \(line)") }
            for try await event in teapot.events("events", maximumReconnects: 0) {
                received.append("event \(event.id) \(event.data)")
            }
            try await teapot.download("lines", to: folder.file("lines"), replacesExisting: true)
            received.append("file \(folder.text("lines") ?? "none")")
            for try await line in try await teapot.bytes("cut").lines { received.append("cut \(line)") }
        } catch {
            received.append("\(error.type) \(error.code?.rawValue ?? 0)")
        }
        return received
    }

    @Test(arguments: Backend.scriptable)
    func `a recorded stream is replayed line by line and event by event, to its end or to where it broke off`(
        _ backend: Backend
    ) async throws {
        let service = try ScriptedService(backend, answer: Self.stream)
        let recording = RecordingTransport(wrapping: service.transport)
        let live = await received(by: service.client(over: recording))
        // Five lines, five events, a file, and three lines before the stream breaks off.
        #expect(live.count == 15)
        #expect(live.last == "dataTaskError \(URLError.Code.networkConnectionLost.rawValue)")
        try recording.write(to: folder.file("run.har"))
        #expect(folder.text("run.har")?.contains("s3cret") == false)
        let mock = try MockTeapot(har: folder.file("run.har"))
        let shown = live.map { $0.replacing(/s3cret-token-\d/, with: SecretPolicy.replacement) }
        #expect(await received(by: mock).map(\.unnumbered) == shown)
        try mock.verify()
    }

    // MARK: - Two clients, one transport

    /// Signs a client in by a cookie, rejects a credential that ends in 0 where it counts, and shows who is asking.
    private static func members(_ request: ScriptedService.Seen) -> ScriptedAnswer {
        let client = request.header("X-Client") ?? "nobody"
        switch request.path {
        case "in":
            return ScriptedAnswer(200, [("Set-Cookie", "user=\(client); Path=/")])
        case "closed" where request.credential?.hasSuffix("0") == true:
            return ScriptedAnswer(401)
        case "held":
            var answer = ScriptedAnswer()
            answer.isHeld = true
            return answer
        default:
            let text = "\(client) \(request.header("Cookie") ?? "none") \(request.credential ?? "none")"
            return ScriptedAnswer(200, [], text)
        }
    }

    @Test(arguments: Backend.scriptable)
    func `two clients of one transport keep cookies, credentials, plugins and cancellation apart`(
        _ backend: Backend
    ) async throws {
        let service = try ScriptedService(backend, answer: Self.members)
        func client(_ name: String) -> (Teapot, WatchingPlugin, TokenIssuer) {
            let (teapot, issuer) = (service.client(), TokenIssuer())
            let plugin = WatchingPlugin { $0.setValue(name, forHTTPHeaderField: "X-Client") }
            teapot.plugins = [plugin]
            teapot.authenticator = issuer.authenticator(.bearer("\(name)-0"))
            return (teapot, plugin, issuer)
        }
        let ((ada, adaPlugin, adaIssuer), (bob, bobPlugin, bobIssuer)) = (client("ada"), client("bob"))
        let other = service.client()
        for teapot in [ada, bob] { try await teapot.get("in") }
        #expect(try await ada.get("closed").text == "ada user=ada Bearer 1")
        #expect(adaIssuer.refreshes == [.bearer("ada-0")])
        #expect(bobIssuer.refreshes.isEmpty)
        #expect(try await bob.get("me").text == "bob user=bob Bearer bob-0")
        #expect(try await other.get("me").text == "nobody none none")
        ada.cookies.removeAll()
        #expect(try await bob.get("me").text == "bob user=bob Bearer bob-0")
        #expect(try await ada.get("me").text == "ada none Bearer 1")
        // The one that got 401 was sent twice.
        #expect(adaPlugin.count == 4)
        #expect(bobPlugin.count == 3)

        let count = service.requests.count
        let adas = Task { await thrown { () throws(TeapotError) in try await ada.get("held") } }
        let bobs = Task { await thrown { () throws(TeapotError) in try await bob.get("held") } }
        await eventually { service.requests.count == count + 2 }
        adas.cancel()
        #expect(await adas.value?.type == .cancelled)
        #expect(try await bob.get("me").text == "bob user=bob Bearer bob-0")
        // Its other call is still under way.
        #expect(bobPlugin.problems == ["1 ×  GET \(service.baseURL)/held 1 is open"])
        bobs.cancel()
        #expect(await bobs.value?.type == .cancelled)
        #expect(adaPlugin.problems.isEmpty && bobPlugin.problems.isEmpty)
    }

    // MARK: - A cache in front of a mock

    @Test func `a cache in front of a mock answers the second call, and the mock verifies what reached it`()
        async throws
    {
        let mock = MockTeapot(strictIn: .module)
        let fresh = ["Cache-Control": "max-age=60"]
        try mock.overrideEndPoint(
            "fresh",
            withSequence: [.json(["kind": "green"], headerFields: fresh)],
            afterLast: .fails
        )
        try mock.overrideEndPoint("checked") { request in
            let isKnown = request.headerFields["If-None-Match"] == "\"1\""
            return try isKnown ? .status(304) : .json(["kind": "black"], headerFields: ["ETag": "\"1\""])
        }
        let teapot = Teapot(baseURL: mock.baseURL, transport: CachingTransport(wrapping: mock.mockTransport))
        for (path, kind) in [("fresh", "green"), ("checked", "black")] {
            for isFromCache in [false, true] {
                let response = try await teapot.get(Teapot.Path(path))
                #expect(response.json?.dictionary?["kind"] as? String == kind)
                #expect(response.isFromCache == isFromCache)
            }
        }
        #expect(mock.requests(to: "fresh").count == 1)
        #expect(mock.requests(to: "checked").map { $0.headerFields["If-None-Match"] } == [nil, "\"1\""])
        try mock.verify()
        let error = await thrown { () throws(TeapotError) in try await teapot.get("other") }
        #expect(error?.type == .unexpectedRequest)
        #expect(mock.findings == [.unexpected("GET \(mock.baseURL)/other")])
    }
}
