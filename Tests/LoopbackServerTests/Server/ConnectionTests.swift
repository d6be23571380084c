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

    @Test func `a connection serves many requests`() throws {
        let client = try RawClient(port: server.port)
        for index in 0..<100 {
            try client.send("GET /get?n=\(index) HTTP/1.1\r\nHost: x\r\n\r\n")
            let response = try client.readResponse()
            #expect(response.json?["args"] as? NSDictionary == ["n": String(index)])
            #expect(response.header("Connection") == nil)
        }
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

    @Test func `an old client may ask to keep the connection`() throws {
        let client = try RawClient(port: server.port)
        for _ in 0..<2 {
            try client.send("GET /get HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try client.readResponse().header("Connection") == "keep-alive")
        }
    }

    @Test func `many connections are served at once`() async throws {
        // All are open before the first asks.
        let clients = try (0..<32).map { _ in try RawClient(port: server.port) }
        for round in 0..<10 {
            for (index, client) in clients.enumerated() {
                try client.send("GET /anything?n=\(round)-\(index) HTTP/1.1\r\n\r\n")
            }
            for (index, client) in clients.enumerated().reversed() {
                let args = try client.readResponse().json?["args"] as? NSDictionary
                #expect(args == ["n": "\(round)-\(index)"])
            }
        }
        #expect(await server.received(320).count == 320)
    }

    @Test func `a slow answer delays no other`() throws {
        let slow = try RawClient(port: server.port)
        try slow.send("GET /delay/10 HTTP/1.1\r\n\r\n")
        #expect(try server.exchange("GET", "/get").status == 200)
    }
}
