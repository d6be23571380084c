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
            #expect(try await teapot.send(MayBeEmpty(request: "tea")) == optional)
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
        #expect(try error.decode(EmptyResponse.self) == EmptyResponse())
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
            #expect(try await teapot.get(path).http.url?.absoluteString.hasSuffix(path) == true)
            // `URLSession` leaves it to libcurl, of which 8.14 drops the mark.
            guard let server, backend != .loopback && backend != .cached || path != "/tea?" else { continue }
            #expect(server.requests.last?.target == path)
        }
    }
}
