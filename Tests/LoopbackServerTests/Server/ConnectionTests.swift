import Foundation
import LoopbackServer
import TestTraits
import Testing

@Suite(.inTurn)
struct ConnectionTests {
    let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
    }

    @Test func `pipelined requests are answered in order`() throws {
        let client = try RawClient(port: server.port)
        let statuses = Array(201...240).filter { $0 != 204 }
        try client.send(statuses.map { "POST /status/\($0) HTTP/1.1\r\nContent-Length: 2\r\n\r\nok" }.joined())
        #expect(try statuses.map { _ in try client.readResponse().status } == statuses)
    }

    @Test(arguments: [
        ("HTTP/1.1", "Connection: close", "close"),
        ("HTTP/1.1", "connection: Close", "close"),
        ("HTTP/1.0", "Accept: */*", "close"),
    ])
    func `a connection is closed when asked`(version: String, header: String, answer: String) throws {
        let client = try RawClient(port: server.port)
        try client.send("GET /get \(version)\r\n\(header)\r\n\r\n")
        #expect(try client.readResponse().header("Connection") == answer)
        #expect(try client.readToEnd().isEmpty)
    }
}
