import Foundation
@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct CookieJarTests {
    private let jar: CookieJar
    /// Whole seconds, as cookies have them.
    private let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))

    init() throws {
        jar = try #require(CookieJar())
    }

    private func store(_ field: String, from url: String = "http://www.example.com/a/b", at date: Date? = nil) throws {
        let url = try #require(URL(string: url))
        let fields = ["Set-Cookie": field]
        let response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields))
        jar.store(.foundation(response), from: url, at: date ?? now)
    }

    private func header(_ url: String = "http://www.example.com/a/b", at date: Date? = nil) throws -> String? {
        try jar.header(for: #require(URL(string: url)), at: date ?? now)
    }

    // MARK: - Names and values

    @Test(
        arguments: [
            ("a=b", "a=b"), ("a=", "a="), (" a = b ", "a=b"), ("a=b; HttpOnly", "a=b"), ("a=b;", "a=b"),
            ("a=b;;;", "a=b"),
            ("a=\"b c\"", "a=\"b c\""), ("a=b=c", "a=b=c"), ("a=b c", "a=b c"), ("a={\"x\":1}", "a={\"x\":1}"),
            ("a=b; SameSite=Lax; Unknown=1; Priority", "a=b"), ("a=%41", "a=%41"), ("a=ü", "a=ü"), ("$a=b", "$a=b"),
            ("a=b, c=d", "a=b; c=d"), ("a=b,c=d", "a=b,c=d"), ("a=b; Path=/, c=d; Path=/", "a=b; c=d"),
            ("a=b\t\t; \tPath\t=\t/", "a=b"), ("a=1\t2", "a=1\t2"), ("a=\u{80}\u{9F}", "a=\u{80}\u{9F}"),
            // A comma that is a part of a value.
            ("pref=x,admin=true", "pref=x,admin=true"), ("a=1,2,3; Path=/", "a=1,2,3"), ("a=b,\tc=d", "a=b,\tc=d"),
            ("pref=\"x, admin=true\"", "pref=\"x, admin=true\""),
            // The longer path counts, as it may have been a cookie without one.
            (
                "pref=\"x, admin=true\"; Path=/, c=\"d, e=f\" ; HttpOnly, g=h",
                "pref=\"x, admin=true\"; c=\"d, e=f\"; g=h"
            ),
            ("pref=\"x, admin=true\" , c=d", "pref=\"x, admin=true\"; c=d"),
            // RFC 6265 does not treat these as quotation marks.
            ("pref=\"x, admin=true", "pref=\"x; admin=true"), ("pref=\"x, admin=\"true", "pref=\"x; admin=\"true"),
            ("pref=x\", admin=\"true", "pref=x\"; admin=\"true"), ("pref=\"x; a=\"y, b=c", "pref=\"x; b=c"),
            // Text that is no cookie.
            ("a=1, flag, b=2", "a=1; b=2"), ("pref=x,y, z", "pref=x,y"), ("a=b, =c", "a=b"), ("a=b, c", "a=b"),
            ("a=b,", "a=b"),
            ("a=b, ", "a=b"), ("a=b, , c=d", "a=b; c=d"), ("a=b,,  c=d", "a=b,; c=d"), ("x, a=b", "a=b"),
            (", , a=b, ,", "a=b"),
            // A name of any kind.
            ("a=b, c d=e", "a=b; c d=e"), ("a=b, (c)=d", "a=b; (c)=d"), ("a=b, c[d]=e, ü=f", "a=b; c[d]=e; ü=f"),
            // In a date, and behind it.
            ("a=Wed, 09 Jun 2100 10:18:14 GMT, c=d", "a=Wed, 09 Jun 2100 10:18:14 GMT; c=d"),
            ("a=b; Expires=Wed, x=1; Path=/", "a=b; x=1"), ("a=b; expires = wednesday, x, c=d", "a=b; c=d"),
            ("a=b; Expires=0, c=d", "a=b; c=d"),
            ("a=b; Expires=0, c=Wed 09 Jun 1999 10:18:14", "a=b; c=Wed 09 Jun 1999 10:18:14"),
            ("a=b; Note=Wed, c=d", "a=b; c=d"), ("Expires=Wed, c=d", "Expires=Wed; c=d"),
            // It could be one cookie, but looks like two that were joined.
            ("pref=x, admin=true", "pref=x; admin=true"),
        ] as [(String, String)]
    )
    func `sends what was set`(field: String, header: String) throws {
        try store(field)
        #expect(try self.header() == header)
    }

    static let invalidFields = [
        "", "a", ";", "=b", " =b", "; a", "a; b=c", "a\u{1}=b", "a=b\u{7F}", "a=b; Path=/\u{1}", ",", ",,", "a\u{1F}=b",
    ]

    @Test(arguments: brief(invalidFields))
    func `ignores anything invalid`(_ argument: Brief<String>) throws {
        let field = argument.value
        try store(field)
        #expect(try header() == nil)
    }

    // MARK: - Domains

    @Test(
        arguments: [
            ("a=b", true, false, false), ("a=b; Domain=", true, false, false),
            ("a=b; Domain=.", true, false, false), ("a=b; Domain=example.com; Domain=", true, false, false),
            ("a=b; Domain=www.example.com", true, true, false),
            ("a=b; Domain=example.com", true, true, true), ("a=b; domain=.EXAMPLE.com", true, true, true),
            ("a=b; Domain=other.com; Domain=example.com", true, true, true),
        ] as [(String, Bool, Bool, Bool)]
    )
    func `obeys the domain`(field: String, host: Bool, subdomain: Bool, parent: Bool) throws {
        try store(field)
        #expect(try header("http://www.example.com/a/") == (host ? "a=b" : nil))
        #expect(try header("http://WWW.Example.COM/a/") == (host ? "a=b" : nil))
        #expect(try header("http://x.www.example.com/a/") == (subdomain ? "a=b" : nil))
        #expect(try header("http://example.com/a/") == (parent ? "a=b" : nil))
        #expect(try header("http://otherexample.com/a/") == nil)
        #expect(try header("http://www.example.com.other/a/") == nil)
    }

    @Test(
        arguments: [
            ("http://www.example.com/", "other.com"), ("http://www.example.com/", "com"),
            ("http://www.example.com/", ".com"),
            ("http://www.example.com/", "x.www.example.com"), ("http://www.example.com/", "ample.com"),
            ("http://www.example.com/", "..com"),
            ("http://www.example.com/", "example.com."),
            ("http://127.0.0.1/", "0.0.1"), ("http://127.0.0.1/", ".0.1"), ("http://127.0.0.1/", "1"),
            ("http://127.0.0.1/", "127.0.0.2"), ("http://a.localhost/", "localhost"),
        ] as [(String, String)]
    )
    func `refuses foreign domains`(url: String, domain: String) throws {
        try store("a=b; Domain=\(domain)", from: url)
        #expect(try header(url) == nil)
        #expect(try header("http://\(domain.trimmingCharacters(in: ["."]))/") == nil)
    }

    @Test(
        arguments: [
            ("http://127.0.0.1:8080/", "a=b"), ("http://127.0.0.1/", "a=b; Domain=127.0.0.1"),
            ("http://localhost/", "a=b"),
            ("http://localhost/", "a=b; Domain=localhost"), ("http://[::1]/", "a=b"), ("https://h/", "a=b; Secure"),
            ("http://com/", "a=b; Domain=com"), ("http://com/", "a=b; Domain=.COM"),
            ("http://localhost/", "a=b; Domain=.localhost"),
        ] as [(String, String)]
    )
    func `knows hosts of all kinds`(url: String, field: String) throws {
        try store(field, from: url)
        #expect(try header(url) == "a=b")
        // A name without a dot is a domain of nobody (RFC 6265, section 5.3, step 5).
        let host = try #require(URL(string: url)?.host())
        if !host.contains(":") { #expect(try header("http://x.\(host)/") == nil) }
        #expect(try header("http://x.example/") == nil)
    }

    // MARK: - Paths

    @Test(
        arguments: [
            ("/a/b", "a=b", "/a"), ("/a/b/c", "a=b", "/a/b"), ("/a", "a=b", "/"), ("", "a=b", "/"), ("/", "a=b", "/"),
            ("/a/", "a=b", "/a"), ("/a/b", "a=b; Path=/", "/"), ("/a/b", "a=b; Path=/x", "/x"),
            ("/a/b", "a=b; Path=x", "/a"),
            ("/a/b", "a=b; Path=", "/a"), ("/a/b", "a=b; Path=/x/", "/x/"), ("/a/b?c=/d/e", "a=b", "/a"),
            ("/a/b", "a=b; Path=/x%20y", "/x%20y"), ("/a/b", "a=b; Path=/; Path=/x", "/x"),
        ] as [(String, String, String)]
    )
    func `has a path`(path: String, field: String, cookiePath: String) throws {
        try store(field, from: "http://h\(path)")
        let stem = cookiePath.hasSuffix("/") ? String(cookiePath.dropLast()) : cookiePath
        #expect(try header("http://h\(stem)/") == "a=b")
        #expect(try header("http://h\(stem)/more/still?q") == "a=b")
        #expect(try header("http://h\(cookiePath)") == "a=b")
        if !stem.isEmpty {
            #expect(try header("http://h\(stem)more") == nil)
            #expect(try header("http://h/other") == nil)
            #expect(try header("http://h") == nil)
        }
    }

    @Test func `the case of escapes does not matter`() throws {
        try store("a=b; Path=/%c3%bc")
        #expect(try header("http://www.example.com/%C3%BC/x") == "a=b")
        #expect(try header("http://www.example.com/%c3%bc") == "a=b")
        #expect(try header("http://www.example.com/%C3%BD") == nil)
    }

    @Test func `sends longer paths first`() throws {
        try store("a=1; Path=/, b=2; Path=/a/b, c=3; Path=/a, d=4; Path=/a")
        #expect(try header() == "b=2; c=3; d=4; a=1")
    }

    @Test func `sends cookies of one path in the order of their creation`() throws {
        try store("z=1; Path=/, m=1; Path=/, a=1; Path=/")
        try store("z=2; Path=/, n=1; Path=/, m=2; Path=/")
        #expect(try header() == "z=2; m=2; a=1; n=1")
        try store("z=; Path=/; Max-Age=0")
        try store("m=3; Path=/; Max-Age=10")
        try store("z=3; Path=/")
        #expect(try header() == "m=3; a=1; n=1; z=3")
        try store("m=4; Path=/", at: now.addingTimeInterval(10))
        #expect(try header(at: now.addingTimeInterval(10)) == "a=1; n=1; z=3; m=4")
    }

    // MARK: - Secure

    @Test func `takes and sends Secure cookies over HTTPS only`() throws {
        try store("a=b; Secure", from: "https://h/")
        try store("c=d; secure", from: "http://h/")
        #expect(try header("https://h/") == "a=b")
        #expect(try header("http://h/") == nil)
    }

    // MARK: - Expiry

    @Test(
        arguments: [
            ("60", true, false), ("61", true, true), ("99999999999999999999", true, true), ("0", false, false),
            ("-1", false, false), ("-99999999999999999999", false, false), ("", true, true), ("abc", true, true),
            ("1e1", true, true), ("0x1", true, true), ("nan", true, true), ("inf", true, true), ("1.5", true, true),
            ("+1", true, true),
        ] as [(String, Bool, Bool)]
    )
    func `obeys Max-Age`(age: String, isSent: Bool, isSentAfterMinute: Bool) throws {
        try store("a=b; Max-Age=\(age)")
        #expect(try header() == (isSent ? "a=b" : nil))
        #expect(try header(at: now.addingTimeInterval(60)) == (isSentAfterMinute ? "a=b" : nil))
    }

    @Test(arguments: [
        "Sun, 06 Nov 2044 08:49:37 GMT", "Sunday, 06-Nov-44 08:49:37 GMT", "Sun Nov  6 08:49:37 2044",
        "Sun, 06-Nov-2044 08:49:37 GMT", "sun, 6 nov 2044 8:49:37 gmt", "06 Nov 2044 08:49:37", "Nov 06 2044 08:49:37",
        "08:49:37 06 November 2044", "Sun, 06 Nov 2044 08:49:37 +0000", "Sun, 06 Nov 44 08:49:37 GMT",
    ])
    func `obeys Expires`(text: String) throws {
        let expiry = Date(timeIntervalSince1970: 2_362_034_977)
        try store("a=b; Expires=\(text)")
        #expect(try header(at: expiry.addingTimeInterval(-1)) == "a=b")
        #expect(try header(at: expiry) == nil)
    }

    @Test(
        arguments: [
            "", "never", "0", "-1", "Sun, 32 Nov 2044 08:49:37 GMT", "Sun, 00 Nov 2044 08:49:37 GMT",
            "Sun, 06 Nov 2044",
            "Sun, 06 Foo 2044 08:49:37 GMT", "Sun, 06 Nov 2044 24:00:00 GMT", "Sun, 06 Nov 2044 23:60:00 GMT",
            "Sun, 06 Nov 2044 23:00:60 GMT", "Sun, 30 Feb 2044 08:49:37 GMT", "Sun, 06 Nov 1600 08:49:37 GMT",
            "Sun, 06 Nov 08:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov 2044 08:49 GMT",
            "٠٦ Nov ٢٠٤٤ 08:49:37",
            "Sun, 06 Nov 2044 123:49:37 GMT",
        ] as [String]
    )
    func `keeps a cookie without a date for the session`(text: String) throws {
        try store("a=b; Expires=\(text)")
        #expect(try header(at: .distantFuture) == "a=b")
    }

    @Test(arguments: [
        "Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 01-Jan-70 00:00:01 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
        "Mon, 01 Jan 1601 00:00:00 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT",
    ])
    func `deletes a cookie that has expired`(text: String) throws {
        try store("a=b; Path=/")
        try store("a=; Path=/; Expires=\(text)")
        #expect(try header() == nil)
    }

    private static let (past, future) = ("Thu, 01 Jan 1970 00:00:00 GMT", "Wed, 21 Oct 2099 07:28:00 GMT")

    /// RFC 6265, sections 5.2.1, 5.2.2 and 5.3, steps 3 to 7.
    @Test(
        arguments: [
            ("Max-Age=0; Max-Age=x", false), ("Max-Age=0; Max-Age=", false), ("Max-Age=0; Max-Age", false),
            ("Max-Age=0; Max-Age=-", false), ("Max-Age=0; Max-Age=+60", false), ("Max-Age=0; Max-Age=60", true),
            ("Max-Age=x; Max-Age=0", false), ("Max-Age=60; Max-Age=0", false),
            ("Max-Age=x; Max-Age=60; Max-Age=y", true),
            ("Expires=\(past); Expires=never", false), ("Expires=\(past); Expires=", false),
            ("Expires=never; Expires=\(past)", false), ("Expires=\(past); Expires=\(future)", true),
            ("Expires=\(past); Max-Age=x", false), ("Max-Age=x; Expires=\(past)", false),
            ("Expires=\(past); Max-Age=60; Max-Age=x", true),
        ] as [(String, Bool)]
    )
    func `the last valid attribute of a name counts`(attributes: String, isSent: Bool) throws {
        try store("a=b; \(attributes)")
        #expect(try header() == (isSent ? "a=b" : nil))
    }

    @Test func `prefers Max-Age to Expires`() throws {
        try store("a=b; Path=/; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(try header() == "a=b")
        try store("a=b; Path=/; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Max-Age=0")
        #expect(try header() == nil)
    }

    // MARK: - Storage

    /// FoundationNetworking's own storage takes these for the same.
    @Test func `distinguishes cookies by name, domain and path`() throws {
        try store("ab=1; Path=/")
        try store("b=2; Path=/a")
        #expect(try header() == "b=2; ab=1")
        #expect(try header("http://www.example.com/other") == "ab=1")
    }

    @Test(
        arguments: [
            ("__Host-a=1; Secure; Path=/", true), ("__Host-a=1; Secure", false), ("__Host-a=1; Path=/", false),
            ("__host-a=1; Secure; Path=/; Domain=www.example.com", false), ("__Secure-a=1; Secure", true),
            ("__secure-a=1", false),
        ] as [(String, Bool)]
    )
    func `enforces the prefixes of names`(field: String, isKept: Bool) throws {
        try store(field, from: "https://www.example.com/a/b")
        #expect(try (header("https://www.example.com/a/b") != nil) == isKept)
    }
}
