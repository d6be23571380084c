import Foundation
import LoopbackServer
import Teapot
import TeapotCurl
import TeapotMock
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct CookiesTests {
    private typealias Cookie = Teapot.Cookie

    private let mock = MockTeapot(strictIn: .module)

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func sent(to path: Teapot.Path = "a", by teapot: MockTeapot? = nil) async throws -> String? {
        try await (teapot ?? mock).get(path)
        return (teapot ?? mock).requests.last?.headerFields["Cookie"]
    }

    // MARK: - Reading

    @Test func `a cookie that a server set is read by its name`() async throws {
        let setting = "csrf=t0ken; Path=/, theme=dark; Path=/a, csrf=deeper; Path=/admin, old=x; Max-Age=0"
        try mock.overrideEndPoint("a", with: .status(.ok, headerFields: ["Set-Cookie": setting]))
        #expect(mock.cookies["csrf"] == nil)
        try await mock.get("a")
        #expect(mock.cookies["csrf"] == "t0ken")
        #expect(mock.cookies["CSRF"] == nil)
        #expect(mock.cookies["theme"] == nil)
        #expect(try mock.cookies["theme", for: url("https://mock.base.url.com/a/b")] == "dark")
        #expect(try mock.cookies["csrf", for: url("https://mock.base.url.com/admin")] == "deeper")
        #expect(try mock.cookies["csrf", for: url("https://other.example")] == nil)
        #expect(mock.cookies.all.map(\.name).sorted() == ["csrf", "csrf", "theme"])
        #expect(try mock.cookies["csrf", for: url("mailto:a@b")] == nil)
    }

    // MARK: - Setting

    @Test func `a cookie is sent where it belongs`() async throws {
        mock.isStrict = false
        try mock.cookies.set([
            Cookie(name: "a", value: "1"), Cookie(name: "b", value: "2", path: "/deep"),
            Cookie(name: "c", value: "3", domain: ".URL.com", isSecure: true),
            Cookie(name: "d", value: "4", domain: "other.example"),
            Cookie(name: "e", value: "5", expires: Date(timeIntervalSinceNow: 3_600)),
            Cookie(name: "f", value: "6", expires: .distantPast),
        ])
        #expect(try await sent() == "a=1; c=3; e=5")
        #expect(try await sent(to: "deep") == "b=2; a=1; c=3; e=5")
        try mock.cookies.set([
            Cookie(name: "a", value: "new"), Cookie(name: "c", value: "", domain: ".url.com", expires: .distantPast),
        ])
        #expect(try await sent() == "a=new; e=5")
        mock.cookies.removeAll()
        #expect(mock.cookies.all.isEmpty)
        #expect(try await sent() == nil)
    }

    static let invalidCookies: [(String, String)] = [
        ("", "x"), (" ", "x"), ("a", "x\r\nX-Evil: 1"), ("a\n", "x"), ("a", "x; b=c"), ("a;b", "x"), ("a=b", "x"),
        ("a", "\u{0}"), (" a", "x"), ("a", "x "), ("a", String(repeating: "x", count: 5_000)),
    ]

    @Test(arguments: brief(invalidCookies))
    func `a cookie that no server could set is refused`(_ argument: Brief<(String, String)>) throws {
        let (name, value) = argument.value
        let cookies = [Cookie(name: "good", value: "1"), Cookie(name: name, value: value)]
        let error = #expect(throws: TeapotError.self) { try mock.cookies.set(cookies) }
        #expect(error?.type == .invalidHeaderField)
        #expect(error?.failureReason == "the cookie at index 1 has an invalid name, value or domain")
        #expect(mock.cookies.all.isEmpty)
    }

    @Test(
        arguments: [
            ("a", ""), ("a", "b=c"), ("a b", "c d"), ("ü", "ü"), ("a", "\"b c\""), ("a", "b, c=d"), ("$a", "%41"),
        ] as [(String, String)]
    )
    func `a cookie that a server could set is sent unchanged`(name: String, value: String) async throws {
        mock.isStrict = false
        try mock.cookies.set([Cookie(name: name, value: value)])
        #expect(try await sent() == "\(name)=\(value)")
    }

    // MARK: - Saving

    @Test func `cookies are kept as they were set`() throws {
        let all = [
            Cookie(name: "a", value: "b", domain: ".h.example", path: "/x", isSecure: true),
            Cookie(name: "a", value: "b", domain: "h.example", expires: Date(timeIntervalSince1970: 4_000_000_000)),
        ]
        try mock.cookies.set(all)
        #expect(mock.cookies.all == all)
    }

    @Test func `no text shows the value`() throws {
        let cookie = Cookie(name: "a\n", value: "s3cret-value", domain: "h", expires: .distantFuture)
        try mock.cookies.set([Cookie(name: "a", value: "s3cret-value")])
        var dumped = ""
        dump(cookie, to: &dumped)
        dump([cookie], to: &dumped)
        dump(mock.cookies, to: &dumped)
        let texts = [
            "\(cookie)", String(reflecting: cookie), "\([cookie])", "\(mock.cookies)", String(reflecting: mock.cookies),
            dumped,
        ]
        for text in texts { #expect(!text.contains("s3cret-value"), "\(text)") }
        #expect("\(cookie)".contains("n=<redacted>; Domain=h; Path=/"))
        #expect("\(mock.cookies)" == "Cookies(count: 1)")
    }

    // MARK: - Configurations

    @Test func `the cookies are those of the configuration's storage`() async throws {
        let server = try LoopbackServer()
        let configuration = URLSessionConfiguration.ephemeral
        let storage = try #require(configuration.httpCookieStorage)
        let teapot = Teapot(baseURL: server.baseURL, configuration: configuration)
        try teapot.cookies.set([Cookie(name: "a", value: "1"), Cookie(name: "b", value: "2")])
        #expect(storage.cookies?.map(\.name).sorted() == ["a", "b"])
        #expect(teapot.cookies["a"] == "1")
        let answer = try await teapot.get("cookies")
        #expect(answer.json?.dictionary?["cookies"] as? [String: String] == ["a": "1", "b": "2"])
        try teapot.cookies.set([Cookie(name: "a", value: "", expires: .distantPast)])
        #expect(teapot.cookies.all.map(\.name) == ["b"])
        teapot.cookies.removeAll()
        #expect(storage.cookies?.isEmpty == true)
    }

    @Test func `the cookies of a storage are sent in the order of their creation`() async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL, configuration: .ephemeral)
        for name in ["z", "m", "b", "y", "a"] { try teapot.cookies.set([Cookie(name: name, value: "1")]) }
        try await teapot.get("cookies")
        #expect(server.requests.last?.header("Cookie") == "z=1; m=1; b=1; y=1; a=1")
    }

    @Test(arguments: [0, 1, 2])
    func `a configuration without cookies has none`(way: Int) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        switch way {
        case 0: configuration.httpShouldSetCookies = false
        case 1: configuration.httpCookieAcceptPolicy = .never
        default: configuration.httpCookieStorage = nil
        }
        let teapot = try Teapot(baseURL: url("http://h.example"), configuration: configuration)
        #expect(teapot.cookies.all.isEmpty && teapot.cookies["a"] == nil)
        let error = #expect(throws: TeapotError.self) { try teapot.cookies.set([Cookie(name: "a", value: "1")]) }
        #expect(error?.failureReason == "the Teapot does not accept cookies")
        teapot.cookies.removeAll()
        #expect("\(teapot.cookies)" == "Cookies(count: 0)")
    }

    @Test func `cookies can be turned off, and on again`() async throws {
        let server = try LoopbackServer()
        var transports: [any Transport] = [URLSessionTransport()]
        #if os(Linux)
            transports.append(CurlTransport())
        #endif
        for transport in transports {
            let teapot = Teapot(baseURL: server.baseURL, transport: transport)
            #expect(teapot.acceptsCookies)
            try await teapot.get("cookies/set?a=1")
            teapot.acceptsCookies = false
            #expect(!teapot.acceptsCookies && teapot.cookies.all.isEmpty)
            try await teapot.get("cookies/set?b=2")
            teapot.acceptsCookies = true
            #expect(try await teapot.get("cookies").json?.dictionary?["cookies"] as? [String: String] == [:])
            try await teapot.get("cookies/set?c=3")
            teapot.acceptsCookies = true
            #expect(try await teapot.get("cookies").json?.dictionary?["cookies"] as? [String: String] == ["c": "3"])
        }
    }
}
