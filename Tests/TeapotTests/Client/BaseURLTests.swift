import Foundation
@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct BaseURLTests {
    private static func join(_ base: String, _ path: String, _ query: Teapot.QueryItems = []) throws -> String {
        let url = try #require(URL(string: base))
        return try #require(BaseURL(url)).appending(Teapot.Path(path), query: query).absoluteString
    }

    // MARK: - Paths

    static let joins: [(base: String, path: String, url: String)] = [
        ("http://h", "users", "http://h/users"),
        ("http://h/", "users", "http://h/users"),
        ("http://h/v1", "users", "http://h/v1/users"),
        ("http://h/v1/", "/users", "http://h/v1/users"),
        ("http://h/v1//", "users", "http://h/v1/users"),
        ("http://h/v1", "users/", "http://h/v1/users/"),
        ("http://h/v1", "/", "http://h/v1/"),
        ("http://h", "", "http://h"),
        ("http://h/v1", "", "http://h/v1"),
        ("http://h/v1?k=v", "users", "http://h/v1/users?k=v"),
        ("http://h/v1?k=v", "users?q=1", "http://h/v1/users?k=v&q=1"),
        ("http://h/v1?k=v#f", "users", "http://h/v1/users?k=v"),
        ("http://h/v1", "?q=1", "http://h/v1?q=1"),
        ("http://h/v1", "users?q=a%26b&x", "http://h/v1/users?q=a%26b&x"),
        ("http://h/v1", "users?next=http://other/x", "http://h/v1/users?next=http://other/x"),
        ("http://h/v1", "users?up=../..", "http://h/v1/users?up=../.."),
        ("http://h/v1", "users?ids[]=1", "http://h/v1/users?ids%5B%5D=1"),
        ("http://h/v1", "users#a?b", "http://h/v1/users#a?b"),
        ("http://h/v1", "users?q#", "http://h/v1/users?q"),
        ("http://h/v1", "users?", "http://h/v1/users?"),
        ("http://h/v1", "?", "http://h/v1?"),
        ("http://h/v1", "users?#f", "http://h/v1/users?#f"),
        ("http://h/v1", "users??", "http://h/v1/users??"),
        ("http://h/v1?", "users", "http://h/v1/users?"),
        ("http://h/v1?", "", "http://h/v1?"),
        ("http://h/v1?", "users?q", "http://h/v1/users?q"),
        ("http://h/v1?k=v", "users?", "http://h/v1/users?k=v"),
        ("http://h/v1", "a b", "http://h/v1/a%20b"),
        ("http://h/v1", "a%2Fb", "http://h/v1/a%2Fb"),
        ("http://h/v1", "a+b&c=d", "http://h/v1/a+b&c=d"),
        ("http://h/v1", "a\\b|c^d`{e}\"<f>", "http://h/v1/a%5Cb%7Cc%5Ed%60%7Be%7D%22%3Cf%3E"),
        ("http://h/v1", "ünï cødé/😀", "http://h/v1/%C3%BCn%C3%AF%20c%C3%B8d%C3%A9/%F0%9F%98%80"),
        ("http://h/v1", "documents:search", "http://h/v1/documents:search"),
        ("http://h/v1", "/a:b://c", "http://h/v1/a:b://c"),
        ("http://h/v1", "://x", "http://h/v1/://x"),
        ("http://h/v1", "users//1", "http://h/v1/users//1"),
        ("http://h/v1", "a?\u{301}b", "http://h/v1/a?%CC%81b"),
        ("http://h/v1?k=v", "a?\u{301}b", "http://h/v1/a?k=v&%CC%81b"),
        ("http://h/v1", "a#\u{301}b", "http://h/v1/a#%CC%81b"),
        ("HTTP://Host.Example:8080/V1", "Users", "http://host.example:8080/V1/Users"),
        ("https://h/v%201", "users", "https://h/v%201/users"),
        // What they decode to is the server's business: see "Encode user input in paths" in Security.
        ("http://h/v1", "users?q=%00", "http://h/v1/users?q=%00"),
        ("http://h/v1", "%252e%252e/users", "http://h/v1/%252e%252e/users"),
    ]

    @Test(arguments: joins)
    func `takes paths behind one slash`(base: String, path: String, url: String) throws {
        #expect(try Self.join(base, path) == url)
    }

    @Test(
        arguments: [
            (".", "http://h/v1/"), ("./users", "http://h/v1/users"), ("a/..", "http://h/v1/"),
            ("a/../b", "http://h/v1/b"), ("a/b/../../c", "http://h/v1/c"), ("a/./b/.", "http://h/v1/a/b/"),
            ("a/%2e%2E/b", "http://h/v1/b"), ("a/.%2e/b", "http://h/v1/b"), ("a/%2e/b", "http://h/v1/a/b"),
            ("a/...", "http://h/v1/a/..."), ("..a", "http://h/v1/..a"), ("a..", "http://h/v1/a.."),
            ("a/../b?c=..", "http://h/v1/b?c=.."), ("a%2F..", "http://h/v1/a%2F.."),
        ] as [(String, String)]
    )
    func `resolves dot segments`(path: String, url: String) throws {
        #expect(try Self.join("http://h/v1", path) == url)
    }

    @Test(
        arguments: [
            ("http://h/v1/%2e%2E", "", "http://h/"), ("http://h/v1/%2e%2E", "users", "http://h/users"),
            ("http://h/v1/.%2e/v2/", "users", "http://h/v2/users"), ("http://h/../a/./b", "", "http://h/a/b"),
            ("http://h/a/b/..", "", "http://h/a/"), ("http://h/a%2Eb/...", "c", "http://h/a%2Eb/.../c"),
            ("http://h/%c3%bc", "%2f?%2f", "http://h/%C3%BC/%2F?%2f"),
            ("http://h/%c3", "http://h/%c3/x", "http://h/%C3/x"),
        ] as [(String, String, String)]
    )
    func `normalizes the path of the base`(base: String, path: String, url: String) throws {
        #expect(try Self.join(base, path) == url)
    }

    static let badPaths = [
        // Another host.
        "//other", "//other/x", "///x", "//", "//user@h", "http://other/x", "https://h/x", "http://h:81/x",
        "http://h.other/x", "http://other@h/x", "http://u:p@h/x", "http://h@other/", "http://h%2Eother/",
        "http://h\\@other/", "ftp://h/x", "file:///etc/passwd", "ws://h/x", "http:", "http:x", "http:/x",
        "https:documents", "HTTP://other", "http://", "http://:80/", "http:///x", "http://h:x/", "http://h:99999/",
        "javascript://h/x", "data://h/x", "//\u{301}other",
        // Control characters.
        "a\nb", "a\r\nHost: other", "a\0b", "\t", "a\u{7F}", "a\u{85}b", "\u{1B}[0m", "users?q=\r\n", "users#\n",
        // An encoded NUL.
        "%00", "users%00.json", "..%00/users", "a/%00/b?q=1", "http://h/v1/users%00",
        // Escapes.
        "%", "a%", "a%2", "a%zz", "a%2gb", "100%", "%%41", "users?q=%", "users?q=%A", "users#%", "%２０", "%\u{301}41",
        // Climbing.
        "..", "../", "../x", "/..", "a/../..", "a/../../b", "./..", "%2e%2e", "%2E%2E/x", ".%2e", "%2e./x",
        "..%2Fx", "%2e%2e%2fx", "..\\x", "..%5Cx", "a%2F..%2F..", "a/..%2f..", "a\\..\\..", "..?q=1", "../x#f",
        "a%2F../%2E%2E%2Fx", "b/a%2F..%2F../%2e%2e%2Fx", ".//%2e%2e%2Fx", "http://h/v1/../x", "http://h/v1/..",
        "http://h/../x", "http://h/a/../../x", "http://h/..%2fx",
    ]

    @Test(arguments: brief(badPaths))
    func `refuses bad paths`(_ argument: Brief<String>) throws {
        let path = argument.value
        let url = try #require(URL(string: "http://h/v1"))
        let base = try #require(BaseURL(url))
        let error = #expect(throws: TeapotError.self) { try base.appending(Teapot.Path(path)) }
        #expect(error?.type == .invalidRequestPath)
        #expect(error?.failureReason?.isEmpty == false)
    }

    // MARK: - Links

    @Test(
        arguments: [
            ("http://h/v1", "http://h/v1/users?page=2", "http://h/v1/users?page=2"),
            ("http://h/v1", "HTTP://H/v1/users", "http://h/v1/users"),
            ("http://h/v1", "http://h:80/v1/users", "http://h/v1/users"),
            ("http://h:80/v1", "http://h/v1/users", "http://h:80/v1/users"),
            ("https://h/v1", "https://h:443/v1/users", "https://h/v1/users"),
            ("http://u:p@h/v1", "http://h/v1/users", "http://h/v1/users"),
            ("http://h/v1", "http://h", "http://h/"),
            ("http://h/v1", "http://h?page=2", "http://h/?page=2"),
            ("http://h/v1", "http://h#f", "http://h/#f"), ("http://h/v1", "http://h/x?", "http://h/x?"),
            ("http://h/v1", "http://h/v2/users", "http://h/v2/users"),
            ("http://h/v1", "http://h/v1/a b?c=ü", "http://h/v1/a%20b?c=%C3%BC"),
            ("http://h/v1", "http://h/v1/a%2Fb?q=a%26b", "http://h/v1/a%2Fb?q=a%26b"),
            ("http://h/v1", "http://h/v1/a/../b", "http://h/v1/b"),
            ("http://h/v1", "http://h/v1x/../b", "http://h/b"),
            ("http://h", "http://h/\u{301}a?b", "http://h/%CC%81a?b"),
        ] as [(String, String, String)]
    )
    func `follows links to its own origin`(base: String, link: String, url: String) throws {
        #expect(try Self.join(base, link) == url)
    }

    // MARK: - Query items

    @Test func `appends query items last`() throws {
        let items: Teapot.QueryItems = [URLQueryItem(name: "b", value: "2"), URLQueryItem(name: "c", value: nil)]
        #expect(try Self.join("http://h/v1", "x", items) == "http://h/v1/x?b=2&c")
        #expect(try Self.join("http://h/v1", "x?a=1", items) == "http://h/v1/x?a=1&b=2&c")
        #expect(try Self.join("http://h/v1?k=v", "x?a=1#f", items) == "http://h/v1/x?k=v&a=1&b=2&c#f")
        #expect(try Self.join("http://h/v1", "", items) == "http://h/v1?b=2&c")
        #expect(try Self.join("http://h/v1", "x?", items) == "http://h/v1/x?b=2&c")
        #expect(try Self.join("http://h/v1?", "x?", items) == "http://h/v1/x?b=2&c")
        #expect(try Self.join("http://h/v1", "x?a=?", items) == "http://h/v1/x?a=?&b=2&c")
        #expect(try Self.join("http://h/v1", "x??", items) == "http://h/v1/x??&b=2&c")
        #expect(try Self.join("http://h/v1", "http://h/x?", items) == "http://h/x?b=2&c")
        #expect(try Self.join("http://h/v1", "#f?", items) == "http://h/v1?b=2&c#f?")
        #expect(try Self.join("http://h/v1", "http://h/x?a", items) == "http://h/x?a&b=2&c")
    }

    // MARK: - Base URLs

    @Test(arguments: [
        "ftp://h/", "file:///etc", "data:text/plain,x", "mailto:a@h", "h", "/v1", "//h/v1", "http:", "http:/v1",
        "http://",
        "http:///v1", "http://:80/", "http://h:0/", "http://h:65536/", "https+unix://h/",
    ])
    func `must be HTTP with a host`(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(BaseURL(url) == nil)
        #expect(Origin(url) == nil)
    }

    @Test(arguments: ["http://a%3Ab:c@h/v1", "http://a%0D%0A:c@h/v1"])
    func `has user information that can be sent`(text: String) throws {
        #expect(BaseURL(try #require(URL(string: text))) == nil)
    }

    @Test func `may be relative to another`() throws {
        let url = try #require(URL(string: "v2/", relativeTo: URL(string: "http://h/v1/")))
        #expect(try #require(BaseURL(url)).appending("users").absoluteString == "http://h/v1/v2/users")
    }

    @Test(
        arguments: [
            ("http://admin:test123@h/v1", "Basic YWRtaW46dGVzdDEyMw=="),
            ("http://admin@h/v1", "Basic YWRtaW46"),
            ("http://a%40b:p%3Aw@h/v1", "Basic YUBiOnA6dw=="),
            ("http://h/v1", nil),
            ("http://@h/v1", nil),
        ] as [(String, String?)]
    )
    func `turns user information into Authorization`(text: String, authorization: String?) throws {
        let url = try #require(URL(string: text))
        let base = try #require(BaseURL(url))
        #expect(base.credential?.value == authorization)
        #expect(try base.appending("users").absoluteString == "http://h/v1/users")
        #expect(try base.appending("").absoluteString == "http://h/v1")
    }
}
