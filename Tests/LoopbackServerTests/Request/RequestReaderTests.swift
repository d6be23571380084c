import Foundation
import LoopbackServer
import TestTraits
import Testing

@Suite(.inTurn)
struct RequestReaderTests {
    let server: LoopbackServer
    let client: RawClient

    init() throws {
        server = try LoopbackServer()
        client = try RawClient(port: server.port)
    }

    @Test func `a request is recorded unchanged`() async throws {
        let head =
            "POST /v1/users?q=a%26b&x?y HTTP/1.1\r\nhost: x\r\nX-Tea:  a b \r\nx-tea: second\r\nEmpty:\r\nContent-Length: 4\r\n\r\n"
        try client.send(head + "\r\n\r\n")
        let request = try #require(await server.received(1).first)
        #expect(request.method == "POST")
        #expect(request.target == "/v1/users?q=a%26b&x?y")
        #expect(request.path == "/v1/users")
        #expect(request.query == "q=a%26b&x?y")
        #expect(request.version == "HTTP/1.1")
        #expect(request.headers.map(\.name) == ["host", "X-Tea", "x-tea", "Empty", "Content-Length"])
        #expect(request.headers.map(\.value) == ["x", "a b", "second", "", "4"])
        #expect(request.header("X-TEA") == "a b")
        #expect(request.header("X-Tee") == nil)
        #expect(request.body == Data("\r\n\r\n".utf8))
        #expect(request.head == head)
    }

    @Test func `a chunked body is joined`() async throws {
        try client.send("POST /post HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n")
        try client.send("3\r\nabc\r\n00A;name=value\r\n0123456789\r\n")
        try client.send("0\r\nTrailer: x\r\n\r\nGET /status/201 HTTP/1.1\r\n\r\n")
        #expect(try client.readResponse().json?["data"] as? String == "abc0123456789")
        #expect(try client.readResponse().status == 201)
    }

    @Test func `a request may arrive byte by byte`() throws {
        for byte in "\r\nPOST /post HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n".utf8 {
            try client.send(Data([byte]))
        }
        #expect(try client.readResponse().json?["data"] as? String == "ok")
    }

    static let unreadableRequests = [
        ("GET /\r\n\r\n", 400),
        ("GET  / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n: no name\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nContent-Length: 9223372036854775807\r\n\r\n", 413),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", 400),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n7FFFFFFFFFFFFFFF\r\n", 413),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: "1", count: 5000), 400),
        ("GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 300_000), 431),
    ]

    @Test func `a client that waits to continue is answered`() throws {
        try client.send("PUT /put HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
        #expect(try client.readResponse().status == 100)
        try client.send("leaf")
        #expect(try client.readResponse().json?["data"] as? String == "leaf")
    }

    @Test(arguments: brief(unreadableRequests))
    func `unreadable requests are refused`(_ argument: Brief<(String, Int)>) throws {
        let (bytes, status) = argument.value
        try client.send(bytes)
        let response = try client.readResponse()
        #expect(response.status == status)
        #expect(response.header("Connection") == "close")
        client.finishSending()
        #expect(try client.readToEnd().isEmpty)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: brief(["GET / HTTP/1.1\r\nHost", "PUT /put HTTP/1.1\r\nContent-Length: 9\r\n\r\nfour"]))
    func `a request that breaks off is not answered`(_ argument: Brief<String>) throws {
        let bytes = argument.value
        try client.send(bytes)
        client.finishSending()
        #expect(try client.readToEnd().isEmpty)
        #expect(server.requests.isEmpty)
    }
}
