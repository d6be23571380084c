import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct PathTests {
    private enum Kind: String { case green = "green/tea", black }
    private enum Size: Int { case small = 2 }
    /// Its description is not its raw value.
    private struct Both: RawRepresentable, LosslessStringConvertible {
        let rawValue: Int

        init(rawValue: Int) { self.rawValue = rawValue }
        init?(_ description: String) { nil }

        var description: String { "number \(rawValue)" }
    }

    static let segments: [(String, String)] = [
        ("what?.txt", "what%3F.txt"), ("a#b", "a%23b"), ("50%25", "50%2525"), ("a/b", "a%2Fb"), ("../x", "..%2Fx"),
        ("?admin=1", "%3Fadmin%3D1"), ("http://other.test/", "http%3A%2F%2Fother.test%2F"), ("a\\b", "a%5Cb"),
        ("ü ;", "%C3%BC%20%3B"), ("...", "..."), ("a-b_c.d~e", "a-b_c.d~e"), ("a\r\nb\0", "a%0D%0Ab%00"),
    ]

    @Test(arguments: segments)
    func `an interpolated text is one segment`(_ text: String, _ segment: String) {
        let path: Teapot.Path = "a/\(text)/b"
        #expect(path.text == "a/\(segment)/b")
        #expect(Teapot.Path(segments: ["a", text, "b"]) == path)
        #expect(("a/\(text)/b" as Teapot.Request).path == path)
    }

    @Test func `numbers, identifiers and raw values are segments, too`() {
        let id = UUID()
        let path: Teapot.Path = "\(1)/\(id)/\(Kind.green)/\(Size.small)/\(Both(rawValue: 3))/\("a/b".dropFirst())"
        #expect(path.text == "1/\(id)/green%2Ftea/2/3/%2Fb")
    }

    @Test func `what is written, raw text and another path stay as they are`() {
        let (text, own) = ("a/b?c=d", "x/y" as Teapot.Path)
        #expect(("\(raw: text)&e=%2F/\(own)" as Teapot.Path).text == "a/b?c=d&e=%2F/x/y")
        #expect(Teapot.Path(text).text == text)
        // A literal of the type, and one of a `String`.
        #expect(Teapot.Path("x/\(text)").text == "x/a%2Fb%3Fc%3Dd")
        #expect(Teapot.Path.init("x/\(text)").text == "x/a/b?c=d")
        #expect("\("token=hush" as Teapot.Path)" == "token=<redacted>")
    }

    @Test(arguments: ["", ".", ".."])
    func `a text that would name another resource fails the call, and nothing is sent`(_ text: String) async throws {
        let mock = MockTeapot()
        mock.baseURL = try #require(URL(string: "http://notes.test/v1"))
        let own = "x/\(text)" as Teapot.Path
        let segments = [
            Teapot.Path(segments: [text]), Teapot.Path(segments: ["a", text]), Teapot.Path(segments: [text, "b"]),
        ]
        for path in ["users/\(text)", "a/\(text)/b", "b/\(own)"] + segments {
            let error = await #expect(throws: TeapotError.self) { try await mock.get(path) }
            #expect(error?.type == .invalidRequestPath)
            #expect(
                error?.failureReason
                    == "a value in the path is \"\(text)\", which as a segment would name another resource"
            )
            // Nor is its text a path, as of a closure call.
            let other = await #expect(throws: TeapotError.self) { try await mock.get(Teapot.Path(path.text)) }
            #expect(other?.type == .invalidRequestPath)
        }
        #expect(mock.requests.isEmpty)
    }

    @Test func `no segment is no path`() {
        let error = #expect(throws: TeapotError.self) {
            try MockTeapot().url(for: Teapot.Request(path: Teapot.Path(segments: [])))
        }
        #expect(error?.type == .invalidRequestPath)
    }

    @Test(arguments: [("", ""), ("..", ".."), ("a&b/c", "a%26b%2Fc")])
    func `a value of a query may be any text`(_ text: String, _ encoded: String) throws {
        let mock = MockTeapot()
        #expect(try mock.url(for: "search?q=\(text)&page=\(2)").query() == "q=\(encoded)&page=2")
    }

    @Test(arguments: ["a\0b", "../../../x", "..\\..\\..\\x"])
    func `a value that some servers would read as more than a segment is not sent`(_ text: String) throws {
        let mock = MockTeapot()
        mock.baseURL = try #require(URL(string: "http://notes.test/v1"))
        let error = #expect(throws: TeapotError.self) { try mock.url(for: "users/\(text)") }
        #expect(error?.type == .invalidRequestPath)
    }

    @Test func `a value reaches no other resource, by any way to send it`() async throws {
        let mock = MockTeapot()
        mock.baseURL = try #require(URL(string: "http://notes.test/v1"))
        let name = "../admin?x=1#y"
        try mock.overrideEndPoint("users/..%2Fadmin%3Fx%3D1%23y", with: .status(.ok))
        let (request, folder) = ("users/\(name)" as Teapot.Request, try TemporaryFolder())
        func wait() throws { try mock.sendAndWait(request) }
        let calls: [() async throws -> Void] = [
            { try await mock.get("users/\(name)") }, { try await mock.head("users/\(name)") },
            { try await mock.options("users/\(name)") }, { try await mock.post("users/\(name)") },
            { try await mock.put("users/\(name)") }, { try await mock.patch("users/\(name)") },
            { try await mock.delete("users/\(name)") }, { _ = try await mock.downloadImage(path: "users/\(name)") },
            { try await mock.send(Teapot.Request(path: "users/\(name)")) }, { try wait() },
            { _ = try await outcome(of: request, from: mock).get() }, { try await mock.upload(request) },
            { try await mock.download("users/\(name)", to: folder.file("a")) },
            { for try await _ in try await mock.bytes("users/\(name)") {} },
            { for try await _ in mock.events("users/\(name)", maximumReconnects: 0) {} },
            { for try await _ in mock.pages("users/\(name)", as: [Int].self, maximumPages: 1) {} },
        ]
        // The empty body is no image, no events and no page.
        for call in calls { try? await call() }
        #expect(mock.requests.count == calls.count)
        #expect(Set(mock.requests.map(\.url.absoluteString)) == ["http://notes.test/v1/users/..%2Fadmin%3Fx%3D1%23y"])
    }

    @Test func `a request can be changed in place`() throws {
        let request = Teapot.Request(path: "a").with { $0.timeoutInterval = 3 }
        #expect(request.timeoutInterval == 3)
        #expect(throws: CancellationError.self) { try request.with { _ in throw CancellationError() } }
    }
}
