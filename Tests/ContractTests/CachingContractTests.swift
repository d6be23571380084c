import LoopbackServer
import Teapot
import TeapotCache
import TeapotCurl
import TestSupport
import TestTraits
import Testing

/// A cache in front of each transport, and servers that say what may be stored.
@Suite(.inTurn)
struct CachingContractTests {
    private func teapot(_ backend: Backend) throws -> Teapot {
        Teapot(
            baseURL: try backend.baseURL(),
            transport: backend == .cached ? backend.transport : CachingTransport(wrapping: backend.transport)
        )
    }

    @Test(arguments: Backend.servers) func `a fresh response is not requested again`(_ backend: Backend) async throws {
        let teapot = try teapot(backend)
        let path = "response-headers?Cache-Control=max-age%3D60&tea=green"
        let first = try await teapot.send(Teapot.Request(path: Teapot.Path(path)).with { $0.timeoutInterval = 60 })
        #expect(!first.isFromCache)
        let second = try await teapot.send(Teapot.Request(path: Teapot.Path(path)).with { $0.timeoutInterval = 60 })
        #expect(second.isFromCache)
        #expect(second.data == first.data)
        #expect(second.headerFields["tea"] == "green")
        #expect(second.headerFields["Age"] != nil)
    }

    @Test(arguments: Backend.servers)
    func `a response with an entity tag is revalidated`(_ backend: Backend) async throws {
        let teapot = try teapot(backend)
        let first = try await teapot.send(Teapot.Request(path: "etag/tea").with { $0.timeoutInterval = 60 })
        let second = try await teapot.send(Teapot.Request(path: "etag/tea").with { $0.timeoutInterval = 60 })
        #expect(second.isFromCache)
        #expect(second.status == 200)
        #expect(second.data == first.data)
        #expect(!second.data.isEmpty)
        let third = try await teapot.send(Teapot.Request(path: "etag/other").with { $0.timeoutInterval = 60 })
        #expect(!third.isFromCache)
    }

    @Test(arguments: ["Connection: close", "Content-Length: 4", "Transfer-Encoding: chunked"], Backend.carriers)
    func `a body whose end is that of the connection is not stored`(_ field: String, _ backend: Backend) async throws {
        let body = field.hasSuffix("chunked") ? "4\r\nhalf\r\n0\r\n\r\n" : "half"
        let response = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\(field)\r\n\r\n\(body)"
        let script = Script([.readRequest, .send(response), .close])
        let server = try LoopbackServer(scripts: [script, script])
        let transport = CachingTransport(wrapping: backend.transport)
        let teapot = Teapot(baseURL: server.baseURL, transport: transport)
        for isFromCache in [false, field != "Connection: close"] {
            let response = try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = 60 })
            #expect(response.data == Data("half".utf8))
            #expect(response.isFromCache == isFromCache)
        }
    }

    private static let date = "Sat, 21 Nov 2026 10:00:00 GMT"

    /// A file that is written again within the second of the response before has the same date (RFC 9110, section 8.8.2.2).
    @Test(
        arguments: Backend.scriptable,
        [
            ("max-age=0, stale-if-error=60", date, nil, false), ("max-age=0", date, nil, false),
            ("no-cache", date, nil, false),
            ("no-cache", "Sat, 21 Nov 2026 09:59:59 GMT", nil, true),
            ("no-cache", "Sat, 21 Nov 2026 10:00:01 GMT", nil, false),
            ("no-cache", date, "\"1\"", true),
        ] as [(String, String, String?, Bool)]
    )
    func `a date that two versions can have is not used to validate`(
        _ backend: Backend,
        row: (control: String, modified: String, tag: String?, isValidated: Bool)
    ) async throws {
        let version = Locked(0)
        let service = try ScriptedService(backend) { request in
            let fields = [
                (name: "Date", value: Self.date), ("Last-Modified", row.modified), ("Cache-Control", row.control),
            ]
            let tag = row.tag.map { [(name: "ETag", value: $0)] } ?? []
            let isKnown = ["If-None-Match", "If-Modified-Since"].contains { request.header($0) != nil }
            let number = version.withLock { version in
                version += 1
                return version
            }
            return isKnown ? ScriptedAnswer(304, fields + tag) : ScriptedAnswer(200, fields + tag, "version \(number)")
        }
        let client = service.client(
            over: backend == .cached ? service.transport : CachingTransport(wrapping: service.transport)
        )
        for number in 1...3 {
            let response = try await client.get("tea")
            #expect(response.text == "version \(row.isValidated ? 1 : number)")
        }
        let dates = service.requests.map { $0.header("If-Modified-Since") }
        #expect(dates == [nil] + Array(repeating: row.isValidated && row.tag == nil ? row.modified : nil, count: 2))
    }
}
