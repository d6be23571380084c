import Foundation
import LoopbackServer
import TestTraits
import Testing

@Suite(.inTurn)
struct BodyDigestTests {
    let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
    }

    // From the test suite of the algorithm's authors.
    @Test(arguments: [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")])
    func `digests are those of the algorithm`(text: String, digest: String) throws {
        #expect(BodyDigest(Data(text.utf8)).text == digest)
        let response = try server.exchange("POST", "/digest", body: text)
        #expect(response.json == ["count": text.utf8.count, "digest": digest])
    }

    @Test func `digests have sixteen digits`() {
        #expect((0..<300).allSatisfy { BodyDigest(Data(repeating: 7, count: $0)).text.utf8.count == 16 })
    }

    @Test func `a body is not kept`() async throws {
        let response = try server.exchange("PUT", "/digest?a=1", body: "leaf")
        #expect(response.json == ["count": 4, "digest": BodyDigest(Data("leaf".utf8)).text])
        let request = try #require(server.requests.first)
        #expect(request.body.isEmpty)
        #expect(request.bodyDigest == BodyDigest(Data("leaf".utf8)))
        #expect(try server.exchange("PUT", "/anything/digest", body: "leaf").json?["data"] as? String == "leaf")
        #expect(server.requests.last?.bodyDigest == nil)
    }

    @Test func `a chunked body is digested without its coding`() throws {
        let client = try RawClient(port: server.port)
        try client.send("POST /digest HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        try client.send("3\r\nfoo\r\n3;x=y\r\nbar\r\n0\r\n\r\nGET /status/201 HTTP/1.1\r\n\r\n")
        #expect(try client.readResponse().json == ["count": 6, "digest": "85944171f73967e8"])
        #expect(try client.readResponse().status == 201)
    }

    @Test func `a large body is digested whole`() throws {
        let range = 0..<2_000_003
        let response = try server.exchange("POST", "/digest", headers: [], bytes: GeneratedFile.bytes(range))
        #expect(response.json == ["count": range.count, "digest": GeneratedFile.digest(range).text])
    }

    @Test func `only bodies are digested`() throws {
        #expect(try server.exchange("GET", "/digest").header("Allow") == "OPTIONS, POST, PUT")
    }
}
