import Foundation
@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct RedirectPolicyTests {
    private let policy = RedirectPolicy(secrets: .standard)

    private func request(
        _ url: String,
        _ method: String = "GET",
        body: String? = nil,
        fields: [String: String] = [:]
    ) throws -> URLRequest {
        var request = try URLRequest(url: #require(URL(string: url)))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private func response(_ status: Int, _ location: String?) throws -> ResponseHead {
        let url = try #require(URL(string: "http://h"))
        let lines = FieldLines(location.map { ["Location": $0] } ?? [:])
        return ResponseHead(url: url, status: status, lines: lines)
    }

    /// The request that follows; `nil` if none does.
    private func next(
        after request: URLRequest,
        _ status: Int = 302,
        to location: String,
        policy: RedirectPolicy? = nil
    ) throws -> URLRequest? {
        let decision = try (policy ?? self.policy).decision(for: request, response(status, location), after: 0)
        guard case .follow(let next) = decision else { return nil }
        return next
    }

    private func refusal(_ decision: RedirectPolicy.Decision) -> String? {
        guard case .refuse(let reason) = decision else { return nil }
        return reason.description
    }

    private func isNone(_ decision: RedirectPolicy.Decision) -> Bool {
        guard case .none = decision else { return false }
        return true
    }

    // MARK: - Statuses and methods

    @Test(
        arguments: [
            (301, "GET", "GET"), (301, "HEAD", "HEAD"), (301, "POST", "GET"), (301, "PUT", "PUT"),
            (301, "DELETE", "DELETE"),
            (302, "GET", "GET"), (302, "HEAD", "HEAD"), (302, "POST", "GET"), (302, "PATCH", "PATCH"),
            (303, "GET", "GET"), (303, "HEAD", "HEAD"), (303, "POST", "GET"), (303, "PUT", "GET"),
            (303, "PATCH", "GET"),
            (303, "DELETE", "GET"), (303, "PURGE", "GET"),
            (307, "GET", "GET"), (307, "POST", "POST"), (307, "PUT", "PUT"), (307, "DELETE", "DELETE"),
            (308, "GET", "GET"), (308, "POST", "POST"), (308, "PATCH", "PATCH"), (308, "HEAD", "HEAD"),
        ] as [(Int, String, String)]
    )
    func `chooses the method`(status: Int, method: String, nextMethod: String) throws {
        let body = method == "GET" || method == "HEAD" ? nil : "body"
        let fields = [
            "Content-Type": "text/plain", "content-language": "en", "Accept": "*/*", "Authorization": "Basic x",
        ]
        let next = try #require(
            try next(after: request("http://h/a", method, body: body, fields: fields), status, to: "/b")
        )
        #expect(next.url?.absoluteString == "http://h/b")
        #expect(next.httpMethod == nextMethod)
        let keepsBody = method == nextMethod
        #expect(next.httpBody == (keepsBody ? body.map { Data($0.utf8) } : nil))
        #expect(next.value(forHTTPHeaderField: "Content-Type") == (keepsBody ? "text/plain" : nil))
        #expect(next.value(forHTTPHeaderField: "Content-Language") == (keepsBody ? "en" : nil))
        #expect(next.value(forHTTPHeaderField: "Accept") == "*/*")
        #expect(next.value(forHTTPHeaderField: "Authorization") == "Basic x")
    }

    @Test(arguments: [100, 200, 201, 204, 300, 304, 305, 306, 309, 399, 400, 404, 500, 0, 999])
    func `knows no other redirects`(status: Int) throws {
        #expect(try isNone(policy.decision(for: request("http://h"), response(status, "/b"), after: 0)))
    }

    @Test(arguments: [nil, ""])
    func `needs a location`(location: String?) throws {
        #expect(try isNone(policy.decision(for: request("http://h"), response(302, location), after: 0)))
    }

    // MARK: - Where to

    /// RFC 3986, sections 5.4.1 and 5.4.2, fragments left out.
    @Test(
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
            ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q"),
            ("g#s", "http://a/b/c/g"), ("g#\u{301}s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"),
            (";x", "http://a/b/c/;x"),
            ("g;x", "http://a/b/c/g;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
            ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
            ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("g#s/./x", "http://a/b/c/g"), ("g#s/../x", "http://a/b/c/g"),
        ] as [(String, String)]
    )
    func `resolves relative locations`(location: String, url: String) throws {
        let next = try next(after: request("http://a/b/c/d;p?q"), to: location)
        #expect(next?.url?.absoluteString == url)
    }

    @Test(
        arguments: [
            ("http://g/x", "http://g/x"), ("HTTP://G/x", "http://G/x"), ("https://a/x", "https://a/x"),
            ("http://a:8080/x", "http://a:8080/x"), ("/a b", "http://a/a%20b"), ("/a%20b", "http://a/a%20b"),
            ("/ü?ü", "http://a/%C3%BC?%C3%BC"), ("/x?a[]=1|2", "http://a/x?a%5B%5D=1%7C2"),
            ("/a%2Fb?c%26d", "http://a/a%2Fb?c%26d"), ("/a%2fb?c%2fd", "http://a/a%2Fb?c%2fd"),
            ("/x/%2e%2E/y", "http://a/y"), ("%2e%2e/%2e%2e/y", "http://a/y"),
            ("http://g/x/../y", "http://g/y"), ("http://g/x/.%2E/%2e/y?..", "http://g/y?.."),
            ("http://user:pass@g/x", "http://g/x"), ("//user@g/x", "http://g/x"), ("http://@g/x", "http://g/x"),
            ("http://u:p@a/x", "http://a/x"), ("http://%E2%82:%FF@a/x", "http://a/x"), ("http://%FF@a/x", "http://a/x"),
            ("/x?next=http://u:p@g/", "http://a/x?next=http://u:p@g/"),
        ] as [(String, String)]
    )
    func `cleans locations`(location: String, url: String) throws {
        let next = try next(after: request("http://a/b"), to: location)
        #expect(next?.url?.absoluteString == url)
    }

    static let invalidLocations = [
        "ftp://a/x", "file:///etc/passwd", "data:text/plain,x", "javascript:alert(1)", "mailto:a@b", "about:blank",
        "g:h",
        "http:g", "http:", "http://", "http:///x", "//", "///x", "https:///", "http://a:99999/", "http://a:b/",
        "http://:80/",
        "/a\u{1}b", "\u{7F}", "/a\u{85}", "//\u{1B}g", "ws://a/", "HTTP+UNIX://a/",
    ]

    @Test(arguments: brief(invalidLocations))
    func `refuses other locations`(_ argument: Brief<String>) throws {
        let location = argument.value
        let decision = try policy.decision(for: request("http://a/b/c"), response(302, location), after: 0)
        #expect(refusal(decision) == "the redirect does not lead to an http or https URL")
    }

    @Test(arguments: ["http://a/x", "HTTP://a/x", "http://a:443/x", "http://g/"])
    func `never goes from HTTPS to HTTP`(location: String) throws {
        let decision = try policy.decision(for: request("https://a/b"), response(307, location), after: 0)
        #expect(refusal(decision) == "the redirect leads from https to http")
    }

    // MARK: - Secrets

    private static let fields = [
        "Authorization": "Basic x", "Cookie": "a=b", "Proxy-Authorization": "Basic x", "X-Api-Key": "k",
        "X-Auth-Token": "t",
        "X-Tenant": "1", "Accept": "*/*", "X-Request-Id": "7", "Host": "a",
    ]

    private func fieldsLeft(_ location: String, from url: String, _ secrets: SecretPolicy) throws -> Set<String> {
        let request = try request(url, "POST", body: "body", fields: Self.fields)
        let next = try next(after: request, 307, to: location, policy: RedirectPolicy(secrets: secrets))
        #expect(next?.httpBody == Data("body".utf8))
        return try Set(#require(next?.allHTTPHeaderFields).keys)
    }

    @Test(
        arguments: [
            ("http://a/x", "http://a/y"), ("http://a/x", "http://a:80/y"), ("http://A/x", "//a/y"),
            ("https://a/x", "https://a:443/"),
            ("http://a:81/x", "/y"), ("http://a/x", "http://u:p@a/y"),
        ] as [(String, String)]
    )
    func `keeps secrets within an origin`(url: String, location: String) throws {
        #expect(try fieldsLeft(location, from: url, .standard) == Set(Self.fields.keys))
    }

    @Test(
        arguments: [
            ("http://a/x", "http://b/y"), ("http://a/x", "https://a/y"), ("http://a/x", "http://a:81/y"),
            ("http://a/x", "//b"),
            ("http://a/x", "http://a.b/"), ("https://a/x", "https://a:444/"), ("http://a/x", "http://a@b/"),
        ] as [(String, String)]
    )
    func `drops secrets on a change of origin`(url: String, location: String) throws {
        #expect(try fieldsLeft(location, from: url, .standard) == ["X-Tenant", "Accept", "X-Request-Id"])
        #expect(
            try fieldsLeft(location, from: url, .standard.adding(["x-tenant"])) == ["Accept", "X-Request-Id"]
        )
        #expect(
            try fieldsLeft(location, from: url, .off)
                == ["X-Api-Key", "X-Auth-Token", "X-Tenant", "Accept", "X-Request-Id"]
        )
    }
}
