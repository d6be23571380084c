@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct ResponseHeadTests {
    private static func head(_ lines: [(String, String)], hasSeparateCookies: Bool = true) throws -> ResponseHead {
        var fields = FieldLines()
        for (name, value) in lines { fields.append(name, value) }
        let url = try #require(URL(string: "http://h/a"))
        return ResponseHead(url: url, status: 203, lines: fields, hasSeparateCookies: hasSeparateCookies)
    }

    static let lines = [
        ("X-Tea", "green"), ("Set-Cookie", "a=1, 2; Path=/"), ("x-tea", " black"), ("ETag", "\"1\" "), ("X-Empty", ""),
        ("set-cookie", "b=3"), ("X-Te", "no"), ("Content-Type", "text/plain"), ("content-type", "text/html"),
    ]

    static let values: [(String, String?)] = [
        ("X-Tea", "green,  black"), ("X-TEA", "green,  black"), ("etag", "\"1\""), ("X-Empty", ""),
        ("Set-Cookie", "a=1, 2; Path=/, b=3"), ("content-Type", "text/plain"), ("X-T", nil), ("X-Teas", nil), ("", nil),
    ]

    /// What is looked up in it, and what Foundation makes of it.
    @Test(arguments: values) func `has the value of a field`(name: String, value: String?) throws {
        let head = try Self.head(Self.lines)
        #expect(head.field(name) == value)
        #expect(Teapot.HeaderFields(head)[name] == value)
        #expect(ResponseHead.foundation(head.http).field(name) == value)
        #expect(Teapot.HeaderFields(head.http)[name] == value)
    }

    @Test func `becomes Foundation's response`() throws {
        let head = try Self.head(Self.lines)
        let http = head.http
        #expect(http === head.http)
        #expect(http.statusCode == 203)
        #expect(http.url == head.url)
        #expect(Teapot.HeaderFields(head).map(\.name) == Teapot.HeaderFields(http).map(\.name))
        #expect(Teapot.HeaderFields(head).map(\.value) == Teapot.HeaderFields(http).map(\.value))
    }

    /// A transport around another one may pass on a response that it took out of the event.
    @Test(arguments: [false, true]) func `keeps cookies apart`(isFoundation: Bool) throws {
        let head = try Self.head(Self.lines)
        let event = isFoundation ? TransportEvent.response(head.http) : TransportEvent(.response(head))
        guard case .response(let passed) = event.kind else { return }
        #expect(passed.separateCookies == ["a=1, 2; Path=/", "b=3"])
        #expect(passed.setCookieFields == ["a=1, 2; Path=/", "b=3"])
        #expect(passed.lines.values(of: "Set-Cookie") == ["a=1, 2; Path=/", "b=3"])
        #expect(try Self.head([("X-Tea", "a")]).separateCookies == nil)
        #expect(try Self.head(Self.lines, hasSeparateCookies: false).separateCookies == nil)
    }

    @Test func `many threads get the same response`() async throws {
        let head = try Self.head(Self.lines)
        let made = await withTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<50 { group.addTask { ObjectIdentifier(head.http) } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(made == [ObjectIdentifier(head.http)])
    }

    @Test func `fields are replaced and removed whatever their capitals`() {
        var lines = FieldLines()
        for (name, value) in Self.lines { lines.append(name, value) }
        lines.replace("x-TEA", with: ["white"])
        lines.remove(["SET-cookie"])
        #expect(lines.values(of: "X-Tea") == ["white"])
        #expect(!lines.contains("Set-Cookie"))
        #expect(lines.value(of: "ETag") == "\"1\" ")
        #expect(lines.all.map(\.name) == ["ETag", "X-Empty", "X-Te", "Content-Type", "content-type", "x-TEA"])
    }
}
