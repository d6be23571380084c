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
        jar.store(response, from: url, at: date ?? now)
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
    @Test(arguments: [
        ("http://0xa.0.0.1/", "0.0.1", "http://127.0.0.1/"), ("http://0xa.0.0.1/", ".0.0.1", "http://9.0.0.1/"),
        ("http://a.0.0.1/", "0.0.1", "http://127.0.0.1/"), ("http://x.0x7f.1/", "0x7f.1", "http://0x7f.1/"),
        ("http://evil.com./", "com.", "http://bank.com./"), ("http://evil.com./", ".com.", "http://bank.com./"),
        ("http://evil.com/", "..com", "http://bank.com/"), ("http://evil.com/", "com.", "http://bank.com/"),
        ("http://127.0.0.1:81/", "127.0.0.1:82", "http://127.0.0.1:82/"),
        ("http://a.evil.com/", "evil.com\u{E9}", "http://evil.com/"),
        ("http://xbank.com/", "bank.com", "http://bank.com/"),
        ("http://bank.com.evil.com/", "bank.com", "http://bank.com/"),
        ("http://evil.com/", "%62ank.com", "http://bank.com/"),
    ])
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
        ", aaaaaaaa",
        "Expires=Wed, a=",
    ])
    func `in large numbers take little time`(piece: String) throws {
        try store(String(repeating: piece, count: 30_000 / piece.utf8.count), from: "http://h/")
        try store((0..<60).map { "a\($0)=b" }.joined(separator: ", "), from: "http://h/")
        #expect(try names("http://h/").count == 50)
    }
}
