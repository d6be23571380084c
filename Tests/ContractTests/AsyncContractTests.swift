import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// The results of the async verbs and of the blocking call, whatever answers them.
@Suite(.inTurn)
struct AsyncContractTests {
    struct Reply: Decodable, Sendable {
        let url: String
    }

    struct Echo: Decodable, Sendable {
        let data: String
        let headers: [String: String]
    }

    struct Note: Encodable, Sendable {
        var title = "tea/ü"
        var cups = 2
    }

    struct Refusal: Decodable, Sendable {
        let message: String
        let accept: [String]
    }

    // MARK: - Verbs

    typealias Verb = @Sendable (Teapot) async throws -> Teapot.Response

    static let verbs: [(name: String, call: Verb)] = [
        ("get", { try await $0.get("get") }),
        ("get with a query", { try await $0.get("get", query: ["a": "b"]) }),
        ("post nothing", { try await $0.post("post") }),
        ("post", { try await $0.post("post", body: Note()) }),
        ("put", { try await $0.put("put", body: Note()) }),
        ("patch", { try await $0.patch("patch", body: Note()) }),
        ("delete", { try await $0.delete("delete") }),
        ("delete with a body", { try await $0.delete("delete", body: Note()) }),
        ("send", { try await $0.send(Teapot.Request(.put, path: "put")) }),
    ]

    @Test(arguments: Backend.available, verbs.indices)
    func `a verb gives the response`(backend: Backend, verb: Int) async throws {
        let teapot = try backend.teapot(file: "contract-object")
        let response = try await Self.verbs[verb].call(teapot)
        #expect(response.status == 200)
        #expect(response.headerFields["CONTENT-TYPE"]?.hasPrefix("application/json") == true)
        #expect(response.json?.dictionary?["url"] is String)
        #expect(try response.decode(Reply.self).url.hasPrefix("http"))
    }

    typealias TypedVerb = @Sendable (Teapot) async throws -> Reply

    static let typedVerbs: [(name: String, call: TypedVerb)] = [
        ("get", { try await $0.get("get", as: Reply.self) }),
        ("post", { try await $0.post("post", body: Note(), as: Reply.self) }),
        ("put", { try await $0.put("put", body: Note(), as: Reply.self) }),
        ("patch", { try await $0.patch("patch", body: Note(), as: Reply.self) }),
        ("delete", { try await $0.delete("delete", as: Reply.self) }),
    ]

    @Test(arguments: Backend.available, typedVerbs.indices)
    func `a verb decodes`(backend: Backend, verb: Int) async throws {
        let teapot = try backend.teapot(file: "contract-object")
        let (name, call) = Self.typedVerbs[verb]
        let url = try await call(teapot).url
        // The mock's file is one for all paths.
        #expect(url.hasSuffix(backend == .mock ? "/get" : "/\(name)"))
    }

    // MARK: - On the wire

    @Test(arguments: Backend.servers)
    func `a value is sent as JSON, and Data byte for byte`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let value = try await teapot.post("post", body: Note(), as: Echo.self)
        #expect(value.data == #"{"cups":2,"title":"tea/ü"}"#)
        #expect(value.headers["Content-Type"] == "application/json")
        let data = try await teapot.put("put", body: Data(#"{ "b" : 1 }"#.utf8), as: Echo.self)
        #expect(data.data == #"{ "b" : 1 }"#)
        #expect(data.headers["Content-Type"] == "application/json")
        let text = Teapot.Request.Body(Data("tea".utf8), contentType: "text/plain")
        let body = try await teapot.patch("patch", body: text, as: Echo.self)
        #expect(body.data == "tea")
        #expect(body.headers["Content-Type"] == "text/plain")
    }

    struct Arguments: Decodable, Sendable {
        let args: [String: String]
    }

    static let marks = (0x20...0x7E).map { String(UnicodeScalar(UInt8($0))) }
        .filter { $0.first?.isLetter == false && $0.first?.isNumber == false }

    @Test(arguments: Backend.servers)
    func `query items come back as the same text, one by one and together`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        #expect(Self.marks.count == 33)
        let texts = Self.marks + ["a  b", " a ", "%41", "😀", "👩‍👩‍👧", "ü", "日本語", "\r\n\t", Self.marks.joined(), ""]
        let items = QueryItems(texts.enumerated().map { URLQueryItem(name: "n\($0.offset)", value: $0.element) })
        let all = try await teapot.get("get", as: Arguments.self, query: items).args
        #expect(all == Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first })
        for text in texts where !text.isEmpty {
            let query: QueryItems = [text: text]
            #expect(try await teapot.get("get", as: Arguments.self, query: query).args == [text: text])
        }
    }

    @Test(arguments: Backend.servers)
    func `query items may repeat a name or lack a value`(backend: Backend) async throws {
        struct Arguments: Decodable {
            struct Values: Decodable {
                let n: [String]
                let none: String
            }
            let args: Values
        }
        let teapot = try backend.teapot()
        let query: QueryItems = ["n": "b", "n": "a", "n": "b", "none": nil]
        let args = try await teapot.get("get", query: query).decode(Arguments.self).args
        #expect(args.n == ["b", "a", "b"])
        #expect(args.none == "")
    }

    // MARK: - Errors

    @Test(arguments: Backend.available)
    func `a body of another type does not decode`(backend: Backend) async throws {
        let teapot = try backend.teapot(file: "contract-object")
        let error = try #require(
            await thrown { () throws(TeapotError) in try await teapot.get("get", as: [Int].self) }
        )
        #expect(error.type == .decodingFailed)
        #expect(error.failureReason?.hasPrefix("$: ") == true)
        #expect(error.responseStatus == 200)
        #expect(error.json?.dictionary?["url"] is String)
        #expect(try error.decode(Reply.self).url.hasPrefix("http"))
    }

    static let refused: [(type: TeapotError.ErrorType, call: Verb)] = [
        (.invalidRequestPath, { try await $0.get("//evil.example/x") }),
        (.invalidRequestPath, { try await $0.post("../x", body: Note()) }),
        (.invalidHeaderField, { try await $0.get("get", headerFields: ["X-A": "1\r\nX-B: 2"]) }),
        (.invalidHeaderField, { try await $0.put("put", body: Note(), headerFields: ["Content-Length": "7"]) }),
        (.invalidPayload, { try await $0.patch("patch", body: ["a": ["b": Double.nan]]) }),
        (.invalidPayload, { try await $0.send(Teapot.Request(path: "get", body: Teapot.Request.Body(Data()))) }),
        (.fileError, { try await $0.post("post", body: Teapot.Request.Body(file: URL(filePath: "/there/is/none"))) }),
    ]

    @Test(arguments: Backend.available, refused.indices)
    func `a request that cannot be sent is refused`(backend: Backend, index: Int) async throws {
        let teapot = try backend.teapot()
        let error = await #expect(throws: TeapotError.self) { try await Self.refused[index].call(teapot) }
        #expect(error?.type == Self.refused[index].type)
        #expect(error?.failureReason != nil)
        #expect(error?.response == nil)
    }

    // MARK: - Cancelling

    @Test(arguments: Backend.servers)
    func `cancelling a waiting task cancels the call`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let isSent = DispatchSemaphore(value: 0)
        teapot.logger = Logger(level: .incomingAndOutgoingData) { _ in isSent.signal() }
        let task = Task { await thrown { () throws(TeapotError) in try await teapot.get("delay/10") } }
        // On a thread of its own, since those of tasks may be busy for longer than the server waits.
        Thread.detachNewThread {
            isSent.wait()
            task.cancel()
        }
        #expect(await task.value?.type == .cancelled)
        // The next call has a connection.
        #expect(try await teapot.get("get").status == 200)
    }

    // MARK: - Blocking

    /// Blocks the calling thread.
    private static func wait(_ request: Teapot.Request, _ teapot: Teapot) -> Result<Teapot.Response, TeapotError> {
        do {
            return .success(try teapot.sendAndWait(request))
        } catch {
            return .failure(error)
        }
    }

    @Test(arguments: Backend.available, [DispatchQueue.main, .global(), DispatchQueue(label: "own")])
    func `the blocking call works`(backend: Backend, queue: DispatchQueue) async throws {
        let teapot = try backend.teapot(file: "contract-object")
        let kept = Locked<[Result<Teapot.Response, TeapotError>]>([])
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async {
                let outcomes = ["get", "//"].map { Self.wait(Teapot.Request(path: $0), teapot) }
                kept.withLock { $0 = outcomes }
                continuation.resume()
            }
        }
        let outcomes = kept.withLock { $0 }
        #expect(try outcomes.first?.get().decode(Reply.self).url.hasSuffix("/get") == true)
        let error = #expect(throws: TeapotError.self) { try outcomes.last?.get() }
        #expect(error?.type == .invalidRequestPath)
    }
}
