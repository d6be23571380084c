import Foundation
import LoopbackServer
import TestTraits
import Testing

@Suite(.inTurn)
struct BodyTests {
    let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
    }

    @Test func `images start and end as their formats do`() throws {
        let png = try server.exchange("GET", "/image/png").body
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        // Width and height stand in the first chunk.
        #expect(Array(png[16..<24]) == [0, 0, 0, 40, 0, 0, 0, 30])
        let jpeg = try server.exchange("GET", "/image/jpeg").body
        #expect(jpeg.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(jpeg.suffix(2) == Data([0xFF, 0xD9]))
    }

    @Test func `gzip holds one stored block with its length`() throws {
        let body = try server.exchange("GET", "/gzip").body
        #expect(body.starts(with: [0x1F, 0x8B, 8]))
        let content = body.dropFirst(15).dropLast(8)
        let (low, high) = (UInt8(content.count & 255), UInt8(content.count >> 8))
        #expect(Array(body[10..<15]) == [1, low, high, ~low, ~high])
        let json = try #require(JSONSerialization.jsonObject(with: Data(content)) as? NSDictionary)
        #expect(json["gzipped"] as? Bool == true)
        #expect(json["method"] as? String == "GET")
    }

    @Test func `compressed bodies are read by others`() async throws {
        for (path, key) in [("gzip", "gzipped"), ("deflate", "deflated")] {
            let data = try await withCheckedThrowingContinuation { continuation in
                let url = server.baseURL.appendingPathComponent(path)
                DispatchQueue.global().async { continuation.resume(with: Result { try Data(contentsOf: url) }) }
            }
            let json = try #require(JSONSerialization.jsonObject(with: data) as? NSDictionary)
            #expect(json[key] as? Bool == true)
        }
    }

    @Test func `seeded bytes are the same each time`() throws {
        let first = try server.exchange("GET", "/bytes/64?seed=7").body
        #expect(first.count == 64)
        #expect(try server.exchange("GET", "/bytes/64?seed=7").body == first)
        #expect(try server.exchange("GET", "/stream-bytes/64?seed=7").body == first)
        #expect(try server.exchange("GET", "/bytes/64?seed=8").body != first)
        #expect(try server.exchange("GET", "/bytes/64").body != first)
    }

    @Test func `streamed bytes come in chunks`() throws {
        let response = try server.exchange("GET", "/stream-bytes/10?chunk_size=4")
        #expect(response.chunks.map(\.count) == [4, 4, 2])
        #expect(response.header("Content-Length") == nil)
    }

    @Test func `dripped bytes take their time`() throws {
        let start = ContinuousClock.now
        let response = try server.exchange("GET", "/drip?numbytes=4&duration=0.2&delay=0.1")
        #expect(response.text == "****")
        #expect(ContinuousClock.now - start >= .milliseconds(240))
    }

    @Test func `delays take their time`() throws {
        let start = ContinuousClock.now
        #expect(try server.exchange("GET", "/delay/0.15").status == 200)
        #expect(ContinuousClock.now - start >= .milliseconds(150))
    }

    @Test func `response headers are set and listed with the length of the list`() throws {
        let response = try server.exchange("GET", "/response-headers?X-Tea=a&X-Tea=b&Bad=1%0D%0AX-Evil:%202")
        #expect(response.headers.filter { $0.name == "X-Tea" }.map(\.value) == ["a", "b"])
        #expect(response.header("Bad") == "1  X-Evil: 2")
        let json = try #require(response.json)
        #expect(json["X-Tea"] as? [String] == ["a", "b"])
        #expect(json["Content-Length"] as? String == String(response.body.count))
    }

    @Test func `cookies come back`() throws {
        let response = try server.exchange("GET", "/cookies", headers: ["Cookie: a=1; b=2=3; c"])
        #expect(response.json?["cookies"] as? NSDictionary == ["a": "1", "b": "2=3", "c": ""])
        let setting = try server.exchange("GET", "/cookies/set?a=1&b=2")
        #expect(setting.headers.filter { $0.name == "Set-Cookie" }.map(\.value) == ["a=1; Path=/", "b=2; Path=/"])
    }

    @Test func `documents match their media types`() throws {
        #expect(try server.exchange("GET", "/xml").text.hasPrefix("<?xml version=\"1.0\""))
        #expect(try server.exchange("GET", "/html").text.hasSuffix("</html>\n"))
        #expect(try server.exchange("GET", "/encoding/utf8").text.contains("茶"))
        #expect(try server.exchange("GET", "/status/418").text.contains("short and"))
    }
}
