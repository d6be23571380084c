import Foundation
import LoopbackServer
import TestTraits
import Testing

/// Routes answer in the shapes of httpbin.
@Suite(.inTurn)
struct RouterTests {
    let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
    }

    static let basic = "Authorization: Basic \(Data("mia:s3cret".utf8).base64EncodedString())"
    static let utf8HTML = "text/html; charset=utf-8"

    static let cases: [RouteCase] = [
        .json("GET", "/get?a=1", keys: RouteCase.summaryKeys),
        .json("POST", "/post", body: "x", keys: RouteCase.fullKeys),
        .json("PUT", "/put", body: "x", keys: RouteCase.fullKeys),
        .json("PATCH", "/patch", body: "x", keys: RouteCase.fullKeys),
        .json("DELETE", "/delete", body: "x", keys: RouteCase.fullKeys),
        .json("GET", "/anything", keys: RouteCase.fullKeys.union(["method"])),
        .json("BREW", "/anything/green/tea", keys: RouteCase.fullKeys.union(["method"])),
        .json("GET", "/headers", keys: ["headers"]),
        .json("POST", "/delay/0.01", body: "x", keys: RouteCase.fullKeys.subtracting(["json"])),
        .json("GET", "/cookies", keys: ["cookies"]),
        .json("GET", "/basic-auth/mia/s3cret", headers: [basic], keys: ["authenticated", "user"]),
        .json("GET", "/hidden-basic-auth/mia/s3cret", headers: [basic], keys: ["authenticated", "user"]),
        .json("GET", "/bearer", headers: ["Authorization: Bearer abc"], keys: ["authenticated", "token"]),
        .json("GET", "/response-headers?X-Tea=oolong", keys: ["Content-Length", "Content-Type", "X-Tea"]),
        .json("GET", "/etag/leaf", keys: RouteCase.summaryKeys),

        .status(405, "GET", "/post", ["Allow": "OPTIONS, POST"]),
        .status(405, "POST", "/get", ["Allow": "GET, HEAD, OPTIONS"]),
        .status(200, "OPTIONS", "/get", ["Allow": "GET, HEAD, OPTIONS"]),
        .status(404, "GET", "/", ["Content-Type": utf8HTML]),
        .status(404, "GET", "/no/such/path", ["Content-Type": utf8HTML]),
        .status(404, "GET", "/get/"),
        .status(404, "GET", "/get/more"),

        .status(204, "GET", "/status/204"),
        .status(299, "PUT", "/status/299", ["Content-Length": "0"]),
        .status(503, "POST", "/status/503", ["Content-Type": utf8HTML]),
        .status(307, "DELETE", "/status/307", ["Location": "/redirect/1"]),
        .status(401, "GET", "/status/401", ["WWW-Authenticate": "Basic realm=\"Fake Realm\""]),
        .status(406, "GET", "/status/406", ["Content-Type": "application/json"]),
        .status(400, "GET", "/status/tea"),
        .status(400, "GET", "/status/100"),
        .status(400, "GET", "/delay/long"),

        .status(302, "GET", "/redirect/1", ["Location": "/get"]),
        .status(302, "GET", "/redirect/3", ["Location": "/relative-redirect/2"]),
        .status(302, "GET", "/relative-redirect/2", ["Location": "/relative-redirect/1"]),
        .status(404, "GET", "/redirect/0"),
        .status(302, "GET", "/redirect-to?url=/get%3Fa%3Db", ["Location": "/get?a=b"]),
        .status(
            307,
            "POST",
            "/redirect-to?url=http://a.example/%C3%A9&status_code=307",
            ["Location": "http://a.example/%C3%A9"]
        ),
        .status(302, "GET", "/redirect-to?url=/get&status_code=200", ["Location": "/get"]),
        .status(400, "GET", "/redirect-to"),

        .status(
            401,
            "GET",
            "/basic-auth/mia/other",
            headers: [basic],
            ["WWW-Authenticate": "Basic realm=\"Fake Realm\""]
        ),
        .status(404, "GET", "/hidden-basic-auth/mia/other", headers: [basic]),
        .status(401, "GET", "/bearer", headers: [basic], ["WWW-Authenticate": "Bearer"]),

        .status(302, "GET", "/cookies/set/tea/green", ["Location": "/cookies", "Set-Cookie": "tea=green; Path=/"]),
        .status(302, "GET", "/cookies/set?tea=green", ["Location": "/cookies", "Set-Cookie": "tea=green; Path=/"]),

        .status(200, "GET", "/etag/leaf", ["ETag": "leaf"]),
        .status(304, "GET", "/etag/leaf", headers: ["If-None-Match: \"bud\", W/\"leaf\""], ["ETag": "leaf"]),
        .status(200, "GET", "/etag/leaf", headers: ["If-None-Match: bud"]),
        .status(304, "GET", "/etag/leaf", headers: ["If-None-Match: *"]),
        .status(412, "GET", "/etag/leaf", headers: ["If-Match: \"bud\""]),
        .status(200, "GET", "/etag/leaf", headers: ["If-Match: \"bud\", \"leaf\""]),

        .status(200, "GET", "/image/png", ["Content-Type": "image/png"]),
        .status(200, "GET", "/image/jpeg", ["Content-Type": "image/jpeg"]),
        .status(200, "GET", "/xml", ["Content-Type": "application/xml"]),
        .status(200, "GET", "/html", ["Content-Type": utf8HTML]),
        .status(200, "GET", "/encoding/utf8", ["Content-Type": utf8HTML]),
        .status(200, "GET", "/gzip", ["Content-Type": "application/json", "Content-Encoding": "gzip"]),
        .status(200, "GET", "/deflate", ["Content-Type": "application/json", "Content-Encoding": "deflate"]),
        .status(200, "GET", "/bytes/7", ["Content-Type": "application/octet-stream", "Content-Length": "7"]),
        .status(200, "GET", "/bytes/9999999", ["Content-Length": "102400"]),
        .status(404, "GET", "/bytes/-1"),
        .status(200, "GET", "/stream-bytes/7", ["Transfer-Encoding": "chunked"]),
        .status(201, "GET", "/drip?numbytes=3&duration=0&code=201", ["Content-Length": "3"]),
        .status(400, "GET", "/drip?numbytes=0"),
    ]

    @Test(arguments: cases)
    func `routes answer`(_ expectation: RouteCase) throws {
        let response = try server.exchange(
            expectation.method,
            expectation.target,
            headers: expectation.headers,
            body: expectation.body
        )
        #expect(response.status == expectation.status)
        if let contentType = expectation.contentType {
            #expect(response.header("Content-Type") == contentType)
        }
        if let keys = expectation.keys {
            let json = try #require(response.json)
            #expect(Set(json.allKeys.compactMap { $0 as? String }) == keys)
        }
        for (name, value) in expectation.expected {
            #expect(response.header(name) == value)
        }
    }

    @Test(
        arguments: ["/get", "/image/png", "/status/418", "/stream-bytes/9"]
    )
    func `HEAD gives what GET gives, but the body`(target: String) throws {
        let client = try RawClient(port: server.port)
        let request = "HEAD \(target) HTTP/1.1\r\nHost: loopback\r\n"
        try client.send(request + "\r\n" + request + "Connection: close\r\n\r\n")
        #expect(try client.readResponse(isHead: true).head == server.exchange("GET", target).head)
        // Were there a body, the next response would not begin here.
        #expect(try client.readResponse(isHead: true).header("Connection") == "close")
        #expect(try client.readToEnd().isEmpty)
    }
}
