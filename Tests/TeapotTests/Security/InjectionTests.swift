import Foundation
@testable import Teapot
import TestTraits
import Testing

/// Text of a user that an app puts into a path. `RequestFuzzCase` has such text in every place of a request.
@Suite(.inTurn)
struct InjectionTests {
    static let texts = [
        "a\r\nX-Injected: yes", "\u{10D}\u{10A}X-Injected: yes", "a HTTP/1.1 ", "\u{2028}", "a\0b", "%0d%0aX", "?a=1",
        "#a",
        "&a=1", "a;b=1", "../a", "/../a", "..%2fa", "..\\a", "//a.example/", "http://a.example/", "@a.example", "..;/a",
        "..;a=b/c", "%2e%2e;/a", "..%3B/a", "..%5C..;a/b", "'\"><script>", "🫖", "e\u{301}", " ", "",
    ]

    @Test(arguments: brief(texts))
    func `in a path stays below the base URL, or is refused`(_ argument: Brief<String>) throws {
        let text = argument.value
        let url = try #require(URL(string: "http://h/a/v1"))
        let base = try #require(BaseURL(url))
        for path in [text, "users/\(text)", "/\(text)/x", "users?q=\(text)"] {
            guard let url = try? base.appending(Teapot.Path(path)) else { continue }
            #expect(url.absoluteString.hasPrefix("http://h/a/v1"))
            #expect(url.absoluteString.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            // However a server reads it: some decode first, some drop what follows a semicolon.
            let segments = url.path(percentEncoded: false).replacing("\\", with: "/").split(separator: "/")
            var depth = 0
            for segment in segments.dropFirst(2).map({ $0.prefix { $0 != ";" } }) {
                depth += segment == ".." ? -1 : segment == "." ? 0 : 1
                #expect(depth >= 0, "\(url)")
            }
        }
    }

    @Test(arguments: brief(texts))
    func `in a path as a value is one segment, or is refused`(_ argument: Brief<String>) throws {
        let url = try #require(URL(string: "http://h/a/v1"))
        let base = try #require(BaseURL(url))
        let text = argument.value
        for path in ["users/\(text)/x", "users/\(text)", Teapot.Path(segments: ["users", text])] as [Teapot.Path] {
            guard let url = try? base.appending(path) else { continue }
            let segments = url.path(percentEncoded: true).split(separator: "/", omittingEmptySubsequences: false)
            #expect(segments.starts(with: ["", "a", "v1", "users"]))
            #expect(segments.count - (segments.last == "x" ? 1 : 0) == 5, "\(url)")
            #expect(segments[4].removingPercentEncoding.map { Array($0.utf8) } == Array(text.utf8))
            #expect(!segments[4].isEmpty && url.query() == nil && url.fragment() == nil)
        }
    }

    @Test func `in a form holds no NUL`() throws {
        var form = MultipartFormData(boundary: "B1")
        form.append(Data("second".utf8), name: "a\0b", filename: "a\0b")
        #expect(try !form.data().contains(0))
    }
}
