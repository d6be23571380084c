import Foundation
@testable import Teapot
import TestTraits
import Testing

/// Cookies of a server or an attacker in between, meant to reach other hosts, to replace those of another host, or to fill the
/// memory.
@Suite(.inTurn)
struct HostileCookieTests {
    private let jar: CookieJar
    private let now = Date()

    init() throws {
        jar = try #require(CookieJar())
    }

    private func store(_ field: String, from url: String, at date: Date? = nil) throws {
        let url = try #require(URL(string: url))
        let fields = ["Set-Cookie": field]
        let response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields))
        jar.store(.foundation(response), from: url, at: date ?? now)
    }

    private func header(_ url: String) throws -> String? {
        try jar.header(for: #require(URL(string: url)), at: now)
    }

    private func names(_ url: String) throws -> [String] {
        try (header(url) ?? "").split(separator: ";").compactMap { $0.split(separator: "=").first }
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    // MARK: - Other hosts

    /// The address in hexadecimal has letters, as a name does.
    @Test(
        arguments: [
            ("http://0xa.0.0.1/", "0.0.1", "http://127.0.0.1/"), ("http://0xa.0.0.1/", ".0.0.1", "http://9.0.0.1/"),
            ("http://a.0.0.1/", "0.0.1", "http://127.0.0.1/"), ("http://x.0x7f.1/", "0x7f.1", "http://0x7f.1/"),
            ("http://evil.com./", "com.", "http://bank.com./"), ("http://evil.com./", ".com.", "http://bank.com./"),
            ("http://evil.com/", "..com", "http://bank.com/"), ("http://evil.com/", "com.", "http://bank.com/"),
            ("http://127.0.0.1:81/", "127.0.0.1:82", "http://127.0.0.1:82/"),
            ("http://a.evil.com/", "evil.com\u{E9}", "http://evil.com/"),
            ("http://xbank.com/", "bank.com", "http://bank.com/"),
            ("http://bank.com.evil.com/", "bank.com", "http://bank.com/"),
            ("http://evil.com/", "%62ank.com", "http://bank.com/"),
        ] as [(String, String, String)]
    )
    func `are not for other hosts`(url: String, domain: String, other: String) throws {
        try store("a=b; Domain=\(domain)", from: url)
        #expect(try header(other) == nil)
        #expect(try header("http://x.\(domain.trimmingCharacters(in: ["."]))/") == nil)
    }

    /// Text after a comma is a cookie only if a name and an equals sign follow, and then one of the same host.
    @Test(arguments: [
        "a=b, c=d; Domain=bank.com", "a=1,c=d;Domain=bank.com;Path=/", "a=b; Path=/x,c=d; Domain=.bank.com",
    ])
    func `joined by commas are not for other hosts either`(field: String) throws {
        try store(field, from: "http://evil.com/")
        #expect(try header("http://bank.com/") == nil)
        #expect(try header("http://www.bank.com/") == nil)
    }

    // MARK: - Secure ones

    /// Whoever can change what comes over http must not replace what came over https (RFC 6265bis, section 5.7).
    @Test(arguments: [
        "sid=evil", "sid=evil; Domain=bank.com", "sid=evil; Path=/app", "sid=evil; Path=/app/deep", "sid=; Max-Age=0",
        "sid=evil; Domain=www.bank.com",
    ])
    func `of https are not changed by http`(field: String) throws {
        try store("sid=good; Secure; Path=/app; Domain=bank.com", from: "https://www.bank.com/app/")
        try store(field, from: "http://www.bank.com/app/")
        #expect(try header("https://www.bank.com/app/deep/") == "sid=good")
    }

    @Test(arguments: [
        ("other=1; Path=/app", "https://www.bank.com/app/"), ("sid=1; Path=/", "https://www.bank.com/app/"),
        ("sid=1; Path=/application", "https://www.bank.com/application"),
    ])
    func `of https leave room for others`(field: String, url: String) throws {
        try store("sid=good; Secure; Path=/app", from: "https://www.bank.com/app/")
        try store(field, from: "http://www.bank.com/app/")
        let name = try #require(field.split(separator: ";").first)
        #expect(try header(url)?.contains(name) == true)
        #expect(try header("https://www.bank.com/app/")?.contains("sid=good") == true)
    }

    @Test func `of https leave their names once they have expired`() throws {
        try store("sid=good; Secure; Path=/; Max-Age=10", from: "https://bank.com/", at: now.addingTimeInterval(-20))
        try store("sid=new; Path=/", from: "http://bank.com/")
        #expect(try header("https://bank.com/") == "sid=new")
    }

    @Test func `of https stay when http floods the storage`() throws {
        try store("sid=good; Secure; Path=/", from: "https://bank.com/")
        for index in 0..<200 { try store("a\(index)=b; Path=/", from: "http://bank.com/") }
        #expect(try names("https://bank.com/").contains("sid"))
    }

    // MARK: - Joined ones

    /// Fields that may stand behind another one: names of any kind, and no cookies at all.
    static let neighbors = [
        "filter[x]=1; Path=/", "b/c=1", "ü=1; Path=/", "\"b\"=1; Path=/", "b c=1; Path=/", "@=1; Max-Age=1000; Path=/",
        "novalue", "novalue; Path=/", "novalue; HttpOnly; Path=/; Max-Age=1000; SameSite=Lax", "=x", "=x; Path=/", "=",
        "",
        ";", "\"x\"", "{}; Path=/", "é", "1", ",", "=; Secure; Path=/", "Wed", "b\u{1}=1; Path=/",
    ]

    @Test(arguments: brief(neighbors), ["", ", next=1; Path=/"])
    func `behind which others were joined stay as strict as they were set`(
        neighbor: Brief<String>,
        next: String
    ) throws {
        let neighbors = ", \(neighbor.value)\(next)"
        try store("deleted=x; Path=/", from: "https://h/app/")
        for field in [
            "secure=s; Path=/; Secure", "bare=s; Secure", "short=s; Path=/; Secure; Max-Age=60",
            "deep=s; Secure; Path=/app",
            "deleted=; Path=/; Max-Age=0", "__Host-a=s; Secure; Path=/", "quoted=\"s, t\"; Path=/; Secure",
            "dated=s; Path=/; Secure; Expires=Mit, 09 Jun 2100 10:18:14 GMT",
            "gone=s; Path=/; Expires=Wed, 09 Jun 1999 10:18:14 GMT",
        ] {
            try store(field + neighbors, from: "https://h/app/x")
        }
        let sent = ["__Host-a", "dated", "quoted", "secure", "short"]
        #expect(try names("https://h/").filter { sent.contains($0) }.sorted() == sent)
        #expect(try header("https://h/")?.contains("bare=") == false)
        #expect(try header("https://h/app/")?.contains("bare=s; ") == true)
        #expect(try header("https://h/app/")?.contains("deep=s; ") == true)
        #expect(try header("https://h/app/")?.contains("quoted=\"s, t\"; ") == true)
        for name in sent + ["bare", "deep", "deleted", "gone"] {
            #expect(try header("http://h/app/")?.contains("\(name)=") != true)
            #expect(try header("https://h/application")?.contains("deep=") == false)
        }
        let url = try #require(URL(string: "https://h/app/x"))
        #expect(jar.cookies(for: url, at: now.addingTimeInterval(60)).contains { $0.name == "short" } == false)
    }

    /// Text that may also be the end of the cookie before it, with the attributes behind it: the stricter of both counts.
    @Test(
        arguments: [
            ("a=1; Note=x, y; Secure; Path=/", "https://h/app/", "a=1"),
            ("a=1; Note=x, y; Secure; Path=/", "http://h/app/", nil),
            ("a=1, y; Secure", "https://h/app/", "a=1"), ("a=1, y; Secure", "http://h/app/", nil),
            ("a=1, y, z; Secure", "http://h/app/", nil), ("a=1; Note=x, y; Max-Age=0", "https://h/app/", nil),
            ("a=1; Max-Age=0, y; Max-Age=60", "https://h/app/", nil),
            ("a=1, y; Expires=Wed, 09 Jun 1999 10:18:14", "https://h/app/", nil),
            ("a=1; Path=/, y; Path=/app", "https://h/app/", "a=1"), ("a=1; Path=/, y; Path=/app", "https://h/", nil),
            ("a=1; Path=/app, y; Path=/", "https://h/", nil), ("a=1; Path=/app, y; Path=/other", "https://h/app/", nil),
            ("a=1, y; Domain=h.example", "https://h/app/", nil),
            ("__Host-a=1; Secure; Path=/, y; Path=/app", "https://h/app/", nil),
            ("__Secure-a=1, y; Secure", "https://h/app/", nil),
            ("a=1; Path=/, y; Path=/; HttpOnly", "http://h/", "a=1"),
            // An invalid date, which has no time.
            ("a=1; Expires=Fri, 31 Dec 9999; Path=/; Secure", "https://h/", "a=1"),
            ("a=1; Expires=Fri, 31 Dec 9999; Path=/; Secure", "http://h/", nil),
            ("a=1; Expires=0, 09 Jun; Secure", "http://h/app/", nil),
            // The beginning of a value, or a cookie without attributes.
            ("a=1, b=2; Secure", "http://h/app/", nil), ("a=1, b=2; Secure", "https://h/app/", "a=1; b=2"),
            ("a=1, y, b=2, c=3; Secure", "http://h/app/", nil), ("a=1, b=\u{1}; Secure", "http://h/app/", nil),
            ("a=1; HttpOnly, b=2; Secure", "http://h/app/", "a=1"), ("a=1, b=2; Max-Age=0", "https://h/app/", "a=1"),
            // The beginning of an attribute's value.
            ("a=1; Comment=hello, x=1; Secure", "http://h/app/", nil),
            ("a=1; Comment=hello, x=1; Secure", "https://h/app/", "a=1; x=1"),
            ("a=1; Comment=hello, y, x=1; Secure", "http://h/app/", nil),
            ("a=1, y; Comment=hello, x=1; Secure", "http://h/app/", nil),
            ("a=1; Comment=hello, y; HttpOnly, x=1; Secure", "http://h/app/", "a=1"),
            ("a=1; Comment=hello; Path=/, x=1; Secure", "http://h/app/", "a=1"),
            ("a=1; SameSite=Lax, x=1; Secure", "http://h/app/", "a=1"),
            // A quotation mark in each of two cookies, or two around a comma.
            (#"a="1, b=2"; Domain=h; Path=/; Max-Age=9"#, "https://h/app/", #"a="1, b=2""#),
            (#"a="1, b=2"; Path=/"#, "https://h/app/", #"a="1, b=2""#), (#"a="1, b=2"; Path=/"#, "https://h/", nil),
            (#"a="1, b=2"; Path=/other"#, "https://h/app/", nil), (#"a="1, b=2"; Path=/other"#, "https://h/other", nil),
            (#"a="1, b=2"; Path=/app/x"#, "https://h/app/", nil),
            (#"a="1, b=2"; Path=/app/x"#, "https://h/app/x", #"a="1, b=2""#),
            (#"a="1, b=2"; Secure"#, "http://h/app/", nil), (#"a="1, b=2"; Max-Age=0"#, "https://h/app/", nil),
            (#"__Secure-a="1, b=2"; Secure"#, "https://h/app/", nil),
            (#"a="1, b"; Path=/"#, "https://h/", #"a="1, b""#), (#"a="1,b=2"; Path=/"#, "https://h/", #"a="1,b=2""#),
            (#"a=1; Comment="x, b=2"; Path=/"#, "https://h/", nil), (#"a=1; Path="x, b=2"; Path=/"#, "https://h/", nil),
            (#"a=1; Comment="x, b=2"; Domain=h"#, "https://h/app/", "a=1"),
            (#"a=1; Path=/; Comment="x, b=2"; HttpOnly"#, "https://h/", "a=1"),
        ] as [(String, String, String?)]
    )
    func `in doubt are sent as both readings allow`(field: String, url: String, header: String?) throws {
        try store(field, from: "https://h/app/")
        #expect(try self.header(url) == header)
    }

    @Test func `in doubt remove what they may replace`() throws {
        try store("a=0; Path=/, a=1; Path=/app", from: "http://h/app/")
        try store("a=; Path=/; Max-Age=0, y; Path=/app", from: "http://h/app/")
        #expect(try header("http://h/app/") == nil)
    }

    @Test func `without attributes are not secure over http for the sake of the next one`() throws {
        try store("a=1, b=2; Secure", from: "http://h/")
        #expect(try header("http://h/") == "a=1")
    }

    // MARK: - Numbers and sizes

    @Test func `are at most 50 of a domain, the latest`() throws {
        for index in 0..<60 { try store("a\(index)=b", from: "http://h/") }
        #expect(try Set(names("http://h/")) == Set((10..<60).map { "a\($0)" }))
        try store("a10=c", from: "http://h/")
        try store("new=b", from: "http://h/")
        #expect(try names("http://h/").contains("a10"))
        #expect(try !names("http://h/").contains("a11"))
    }

    @Test func `of one domain do not push out those of another`() throws {
        try store("sid=good", from: "http://bank.com/")
        for index in 0..<200 { try store("a\(index)=b", from: "http://evil.com/") }
        #expect(try header("http://bank.com/") == "sid=good")
    }

    @Test func `make room for others once they are old`() throws {
        try store("old=1; Max-Age=10", from: "http://h/")
        for index in 0..<49 { try store("a\(index)=b", from: "http://h/") }
        try store("new=1", from: "http://h/", at: now.addingTimeInterval(11))
        #expect(try Set(names("http://h/")) == Set((0..<49).map { "a\($0)" } + ["new"]))
    }

    @Test func `are at most 3,000 in all`() throws {
        var kept = MemoryCookieStore()
        #expect(kept.limit == 3_000)
        kept.limit = 30
        for index in 0..<40 {
            let cookie = Teapot.Cookie(name: "a", value: "b", domain: "h\(index)")
            kept.take(cookie, isSecure: false, at: now)
        }
        #expect(kept.all.map(\.domain) == (10..<40).map { "h\($0)" })
    }

    @Test(arguments: [(4_096, true), (4_097, false)])
    func `have at most 4,096 bytes`(count: Int, isKept: Bool) throws {
        try store("a=\(String(repeating: "x", count: count - 1))", from: "http://h/")
        #expect(try (header("http://h/") != nil) == isKept)
    }

    /// RFC 6265bis, section 5.6, has attributes of more than 1,024 bytes ignored.
    @Test func `have attributes of at most 1,024 bytes`() throws {
        let path = "/" + String(repeating: "x", count: 1_024)
        try store("a=b; Path=\(path)", from: "http://h/")
        #expect(try header("http://h/") == "a=b")
    }

    /// FoundationNetworking lets 100 KB through; a transport of the caller's own may bring more.
    @Test(arguments: [
        ",", "a=b,", "a,", "a=b;,", ";", "=,", "a=b; Expires=", "\u{301},", "a=b, ", ", ", "=\"", "=\", a",
        ", aaaaaaaa", ", ", ", a=b", ", a; Path=/", ", a; Secure;", ", ;a", "a=b; Expires=Wed, 1",
        "Expires=Wed, a=", "a=Wed, 09 Jun 2100 10:18:14",
    ])
    func `in large numbers take little time`(piece: String) throws {
        try store(String(repeating: piece, count: 30_000 / piece.utf8.count), from: "http://h/")
        try store((0..<60).map { "a\($0)=b" }.joined(separator: ", "), from: "http://h/")
        #expect(try names("http://h/").count == 50)
    }
}
