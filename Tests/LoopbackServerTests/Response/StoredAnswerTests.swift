import Foundation
import LoopbackServer
import TestTraits
import Testing

@Suite(.inTurn)
struct StoredAnswerTests {
    /// Below and above what is copied behind the head.
    @Test(arguments: [0, 150, 3 << 20]) func `a stored answer is sent in place of the route`(count: Int) throws {
        let body = GeneratedFile.bytes(0..<count)
        let server = try LoopbackServer(stored: ["/get": StoredAnswer(contentType: "text/x-stored", body: body)])
        let client = try RawClient(port: server.port)
        for method in ["GET", "GET", "POST"] {
            try client.send("\(method) /get?a=1 HTTP/1.1\r\nContent-Length: 0\r\n\r\n")
            let response = try client.readResponse()
            #expect(response.status == 200)
            #expect(response.header("Content-Type") == "text/x-stored")
            let isWhole = response.body == body
            #expect(isWhole)
        }
        #expect(server.requests.count == 3)
    }

    @Test(arguments: [("HEAD", "/get"), ("GET", "/headers")])
    func `other requests are answered by the routes`(method: String, path: String) throws {
        let stored = StoredAnswer(contentType: "text/x-stored", body: Data("stored".utf8))
        let server = try LoopbackServer(stored: ["/get": stored])
        #expect(try server.exchange(method, path).header("Content-Type") == "application/json")
    }

    @Test func `the connection ends with a stored answer if the client asks for that`() throws {
        let stored = StoredAnswer(contentType: "text/x-stored", body: Data("stored".utf8))
        let server = try LoopbackServer(stored: ["/get": stored])
        let client = try RawClient(port: server.port)
        try client.send("GET /get HTTP/1.1\r\nConnection: close\r\n\r\n")
        #expect(try client.readResponse().text == "stored")
        #expect(throws: RawClient.Failure.endOfStream(after: "")) { try client.readResponse() }
    }
}
