import Foundation
import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// Bodies that are decoded: also none, and those in other charsets.
@Suite(.inTurn)
struct BodyContractTests {
    struct Tea: Codable, Sendable, Equatable {
        var name = "Grüntee"
    }

    struct GetTea: Endpoint {
        typealias Response = Tea?
        typealias Failure = Tea?
        let request: Teapot.Request
    }

    struct MayBeEmpty: Endpoint {
        typealias Response = EmptyResponse?
        let request: Teapot.Request
    }

    // MARK: - No bytes of a compressed body

    /// A response without a body, and whether it can be whole.
    private static let empty: [(method: Teapot.HTTPMethod, status: Int, fields: String, body: String, isWhole: Bool)] =
        [
            (
                .get, 200, "Cache-Control: max-age=60\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked",
                "0\r\n\r\n", false
            ),
            (.post, 200, "Content-Encoding: X-GZip\r\nTransfer-Encoding: chunked", "0\r\n\r\n", false),
            (.get, 201, "Content-Encoding: deflate\r\nTransfer-Encoding: chunked", "0\r\n\r\n", false),
            (.get, 200, "Content-Encoding: identity, gzip\r\nTransfer-Encoding: chunked", "0\r\n\r\n", false),
            (.get, 200, "Content-Encoding: gzip", "", false),
            (.get, 409, "Content-Encoding: gzip", "", false),
            // The server says that there is none, or there cannot be one.
            (.get, 200, "Content-Encoding: gzip\r\nContent-Length: 0", "", true),
            (.head, 200, "Content-Encoding: gzip\r\nTransfer-Encoding: chunked", "", true),
            (.get, 204, "Content-Encoding: gzip", "", true), (.get, 304, "Content-Encoding: gzip", "", true),
            (.get, 200, "Content-Encoding: identity\r\nTransfer-Encoding: chunked", "0\r\n\r\n", true),
            (.get, 200, "Transfer-Encoding: chunked", "0\r\n\r\n", true),
        ]

    @Test(arguments: Backend.scriptable.filter { $0.acceptsCodings && $0 != .mock })
    func `a compressed body of no bytes is no success`(_ backend: Backend) async throws {
        let folder = try TemporaryFolder()
        for (method, status, fields, body, isWhole) in Self.empty {
            // A `POST` on a connection that closes without a word is not sent again.
            let head = "HTTP/1.1 \(status) Tea\r\nConnection: close\r\n\(fields)\r\n\r\n"
            let script = Script([.readRequest, .send(head + body), .close])
            let server = try LoopbackServer(scripts: [script, script, script])
            let teapot = Teapot(baseURL: server.baseURL, transport: backend.transport)
            let request = Teapot.Request(method, path: "tea").with {
                $0.timeoutInterval = 60
                $0.acceptedStatuses = [304, 409]
            }
            var errors = [await thrown { () throws(TeapotError) in try await teapot.send(request) }]
            if (200...299).contains(status), method != .head {
                errors += [
                    await thrown { () throws(TeapotError) in try await teapot.download(request, to: folder.file(fields))
                    },
                    await thrown { () throws(TeapotError) in
                        for try await piece in try await teapot.bytes(request) { #expect(piece.isEmpty == false) }
                    },
                ]
            }
            // A cache does not store it.
            #expect(server.requests.count == errors.count)
            for error in errors {
                #expect((error == nil) == isWhole, "\(backend), \(fields)")
                guard let error else { continue }
                #expect(error.type == .dataTaskError)
                #expect(error.responseStatus == status)
                #expect(error.code == .cannotDecodeContentData)
            }
        }
        #expect(!folder.names.contains { $0.contains("gzip\r\nTransfer") })
    }

    /// It is an error all the same, and of the status.
    @Test(arguments: Backend.scriptable.filter { $0.acceptsCodings && $0 != .mock }, [404, 503])
    func `a status outside 200 to 299 counts more than its compressed body of no bytes`(
        _ backend: Backend,
        status: Int
    ) async throws {
        let response = "HTTP/1.1 \(status) Tea\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        let server = try LoopbackServer(scripts: [Script([.readRequest, .send(response)])])
        let teapot = Teapot(baseURL: server.baseURL, transport: backend.transport)
        let error = await thrown { () throws(TeapotError) in try await teapot.get("tea") }
        #expect(error?.type == .invalidResponseStatus)
        #expect(error?.responseStatus == status)
    }

    /// What a cache has stored, or a mock replays, is decoded, and has kept the field.
    @Test(arguments: Backend.scriptable)
    func `a decoded body may have the field of its coding`(_ backend: Backend) async throws {
        let fields = [(name: "Content-Encoding", value: "gzip"), ("Cache-Control", "max-age=60")]
        let body = backend == .mock ? Data("tea".utf8) : StoredCompression.gzip(Data("tea".utf8))
        let (teapot, server) = try backend.teapot(answering: ["/tea": ScriptedAnswer(200, fields, body)])
        guard backend.acceptsCodings else { return }
        for _ in 0..<2 { #expect(try await teapot.get("tea").text == "tea") }
        #expect(server.map { $0.requests.count == (backend == .cached ? 1 : 2) } != false)
    }

    // MARK: - No body

    static let nothing: [(status: Int, body: String)] = [
        (204, ""), (205, ""), (200, ""), (201, " \r\n\t"), (200, "null"), (202, " null\n"),
    ]

    @Test(arguments: Backend.scriptable)
    func `no body is no value`(_ backend: Backend) async throws {
        for (status, body) in Self.nothing {
            let answer = ScriptedAnswer(status, [("Content-Type", "application/json")], body)
            let (teapot, server) = try backend.teapot(answering: ["/tea": answer])
            #expect(try await teapot.get("tea", as: Tea?.self) == nil)
            #expect(try await teapot.post("tea", body: Tea(), as: Tea?.self) == nil)
            #expect(try await teapot.send(GetTea(request: "tea")) == nil)
            #expect(try await teapot.get("tea").decode(Tea?.self) == nil)
            let error = await thrown { () throws(TeapotError) in _ = try await teapot.get("tea", as: Tea.self) }
            #expect(error?.type == .decodingFailed)
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: Backend.scriptable)
    func `a body that is not JSON is not missing`(_ backend: Backend) async throws {
        let answer = ScriptedAnswer(200, [("Content-Type", "application/json")], "tea")
        let (teapot, server) = try backend.teapot(answering: ["/tea": answer])
        let error = await thrown { () throws(TeapotError) in _ = try await teapot.get("tea", as: Tea?.self) }
        #expect(error?.type == .decodingFailed)
        withExtendedLifetime(server) {}
    }

    @Test(arguments: Backend.scriptable)
    func `an empty response ignores the body`(_ backend: Backend) async throws {
        for (status, body) in Self.nothing + [(200, "[1]"), (200, "<h1>Tea</h1>")] {
            let (teapot, server) = try backend.teapot(answering: ["/tea": ScriptedAnswer(status, [], body)])
            _ = try await teapot.delete("tea", as: EmptyResponse.self)
            _ = try await teapot.get("tea").decode(EmptyResponse.self)
            let optional = try await teapot.delete("tea", as: EmptyResponse?.self)
            #expect((optional == nil) == Self.nothing.contains { $0.body == body })
            #expect((try await teapot.send(MayBeEmpty(request: "tea")) == nil) == (optional == nil))
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: Backend.scriptable)
    func `a failure without a body has no value`(_ backend: Backend) async throws {
        let (teapot, server) = try backend.teapot(answering: ["/tea": ScriptedAnswer(404)])
        let error = try #require(
            await thrown { () throws(TeapotError) in _ = try await teapot.send(GetTea(request: "tea")) }
        )
        #expect(try error.decode(Tea?.self) == nil)
        #expect(try error.decode(GetTea.Failure.self) == nil)
        #expect(throws: Never.self) { try error.decode(EmptyResponse.self) }
        withExtendedLifetime(server) {}
    }

    @Test(arguments: Backend.available)
    func `a response to HEAD has no value`(_ backend: Backend) async throws {
        let response = try await backend.teapot().head("get")
        #expect(try response.decode(Tea?.self) == nil)
    }

    // MARK: - Charsets

    private static let text = #"{"name":"Grüntee"}"#
    private static let latin1 = text.data(using: .isoLatin1) ?? Data()

    /// Bodies, and the charset of their type.
    static let charsets: [(body: Data, charset: String)] = [
        (Data(text.utf8), ""), (Data(text.utf8), "; charset=utf-8"), (latin1, "; charset=ISO-8859-1"),
        (latin1, "; charset=\"windows-1252\""), (text.data(using: .utf16BigEndian) ?? Data(), "; charset=utf-16"),
        (text.data(using: .utf16LittleEndian) ?? Data(), "; charset=utf-16le"),
        (text.data(using: .utf16) ?? Data(), "; charset=utf-16"), (text.data(using: .utf16) ?? Data(), ""),
        // JSON is UTF-8, whatever the server says (RFC 8259, section 8.1): many say ISO-8859-1 of everything.
        (Data(text.utf8), "; charset=ISO-8859-1"), (Data(text.utf8), "; charset=koi8-r"),
    ]

    @Test(arguments: Backend.scriptable)
    func `JSON is read in its charset`(_ backend: Backend) async throws {
        for (body, charset) in Self.charsets {
            let answers = [200, 400].map { status in
                let type = status == 200 ? "application/json" : "application/problem+json"
                return ScriptedAnswer(status, [("Content-Type", type + charset)], body)
            }
            let (teapot, server) = try backend.teapot(answering: ["/tea": answers[0], "/problem": answers[1]])
            #expect(try await teapot.get("tea", as: Tea.self) == Tea())
            #expect(try await teapot.get("tea").json?.dictionary?["name"] as? String == "Grüntee")
            #expect(await result { teapot.get("tea", completion: $0) }.text("name") == "Grüntee")
            let error = await thrown { () throws(TeapotError) in try await teapot.get("problem") }
            #expect(try error?.decode(Tea.self) == Tea())
            #expect(error?.json?.dictionary?["name"] as? String == "Grüntee")
            #expect(error?.problem?.extensions["name"] as? String == "Grüntee")
            withExtendedLifetime(server) {}
        }
    }

    // MARK: - Events

    @Test(arguments: Backend.scriptable)
    func `a response that is not an event stream keeps its body in the error`(_ backend: Backend) async throws {
        let answer = ScriptedAnswer(200, [("Content-Type", "application/json")], #"{"message":"no tea today"}"#)
        let (teapot, server) = try backend.teapot(answering: ["/tea": answer])
        let error = await thrown { () throws(TeapotError) in for try await _ in teapot.events("tea") {} }
        #expect(error?.type == .decodingFailed)
        #expect(error?.failureReason == "the media type is application/json, not text/event-stream")
        #expect(error?.json?.dictionary?["message"] as? String == "no tea today")
        withExtendedLifetime(server) {}
    }

    // MARK: - Paths

    @Test(arguments: Backend.scriptable)
    func `an empty query is sent as it is written`(_ backend: Backend) async throws {
        let (teapot, server) = try backend.teapot(answering: ["/tea": ScriptedAnswer(200, [], "tea")])
        for path in ["/tea?", "/tea?a?", "/tea??"] {
            #expect(try await teapot.get(Teapot.Path(path)).http.url?.absoluteString.hasSuffix(path) == true)
            // `URLSession` leaves it to libcurl, of which 8.14 drops the mark.
            guard let server, backend != .loopback && backend != .cached || path != "/tea?" else { continue }
            #expect(server.requests.last?.target == path)
        }
    }
}
