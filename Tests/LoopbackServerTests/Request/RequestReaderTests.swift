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

    @Test(arguments: [false, true])
    func `requests on one connection are answered in order, however they are cut`(byByte: Bool) throws {
        let chunks = "3\r\nabc\r\n00A;name=value\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"
        let first = "\r\nPOST /status/201 HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n\(chunks)"
        let text = first + "POST /status/202 HTTP/1.1\r\nContent-Length: 4\r\n\r\nleafGET /status/203 HTTP/1.1\r\n\r\n"
        for piece in byByte ? text.unicodeScalars.map({ "\($0)" }) : [text] { try client.send(piece) }
        client.finishSending()
        let statuses = try client.read().matches(of: /HTTP\/1.1 ([0-9]+)/).map { String($0.output.1) }
        #expect(statuses == ["201", "202", "203"])
        #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["abc0123456789", "leaf", ""])
    }

    @Test func `a client that waits to continue is answered`() throws {
        try client.send("PUT /put HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
        #expect(try client.read(to: "\r\n\r\n").hasPrefix("HTTP/1.1 100 "))
        try client.send("leaf")
        client.finishSending()
        #expect(try client.read().hasPrefix("HTTP/1.1 200 "))
    }

    @Test(arguments: brief(["HTTP/1.1\r\nConnection: close", "HTTP/1.1\r\nconnection: Close", "HTTP/1.0"]))
    func `a connection is closed when asked`(_ argument: Brief<String>) throws {
        let head = argument.value
        try client.send("GET /get \(head)\r\n\r\n")
        #expect(try client.read().contains("Connection: close\r\n"))
    }

    /// Those that break off have no answer.
    static let unreadableRequests: [(bytes: String, status: Int?)] = [
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
        ("GET / HTTP/1.1\r\nHost", nil),
        ("PUT /put HTTP/1.1\r\nContent-Length: 9\r\n\r\nfour", nil),
    ]

    @Test(arguments: brief(unreadableRequests))
    func `unreadable requests are refused`(_ argument: Brief<(bytes: String, status: Int?)>) throws {
        let (bytes, status) = argument.value
        try client.send(bytes)
        client.finishSending()
        let answer = try client.read()
        #expect(answer.hasPrefix(status.map { "HTTP/1.1 \($0) " } ?? ""))
        #expect(answer.contains("Connection: close\r\n") == (status != nil))
        #expect(answer.isEmpty == (status == nil))
        #expect(server.requests.isEmpty)
    }
}
