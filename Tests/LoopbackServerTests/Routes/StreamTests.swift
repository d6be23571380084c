import Foundation
import LoopbackServer
import TestTraits
import Testing

@Suite(.inTurn)
struct StreamTests {
    let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
    }

    @Test func `each line is a chunk and an object`() throws {
        let response = try server.exchange("GET", "/stream/3?a=1", headers: ["X-Tea: green"])
        #expect(response.header("Content-Type") == "application/json")
        #expect(response.header("Content-Length") == nil)
        #expect(response.chunks.count == 3)
        for (index, chunk) in response.chunks.enumerated() {
            #expect(chunk.firstIndex(of: UInt8(ascii: "\n")) == chunk.endIndex - 1)
            let json = try JSONSerialization.jsonObject(with: chunk) as? NSDictionary
            let expected: NSDictionary = [
                "args": ["a": "1"], "headers": ["Host": "loopback", "X-Tea": "green"], "id": index,
                "origin": "127.0.0.1", "url": "http://loopback/stream/3?a=1",
            ]
            #expect(json == expected)
        }
    }

    @Test(arguments: [(0, 0), (1, 1), (100, 100), (1000, 100)])
    func `at most a hundred lines are sent`(asked: Int, given: Int) throws {
        #expect(try server.exchange("GET", "/stream/\(asked)").chunks.count == given)
    }

    // The answers of httpbin 0.10, even where RFC 9110 differs.
    @Test(arguments: [
        (nil, 200, "0-25", "abcdefghijklmnopqrstuvwxyz"),
        ("bytes=0-9", 206, "0-9", "abcdefghij"),
        ("bytes=20-", 206, "20-25", "uvwxyz"),
        ("bytes=-5", 206, "21-25", "vwxyz"),
        ("bytes=-500", 200, "0-25", "abcdefghijklmnopqrstuvwxyz"),
        ("bytes=0-25", 200, "0-25", "abcdefghijklmnopqrstuvwxyz"),
        ("bytes=x-y", 200, "0-25", "abcdefghijklmnopqrstuvwxyz"),
        ("items=0-3", 200, "0-25", "abcdefghijklmnopqrstuvwxyz"),
        ("bytes=0-3,5-6", 200, "0-25", "abcdefghijklmnopqrstuvwxyz"),
        ("bytes=90-", 416, "*", ""),
        ("bytes=9-3", 416, "*", ""),
        ("bytes=0-99", 416, "*", ""),
        ("bytes=99999999999999999999-", 416, "*", ""),
        ("bytes=-0", 416, "*", ""),
    ])
    func letters(range: String?, status: Int, contentRange: String, text: String) throws {
        let headers = range.map { ["Range: \($0)"] } ?? []
        let response = try server.exchange("GET", "/range/26", headers: headers)
        #expect(response.status == status)
        #expect(response.header("Content-Range") == "bytes \(contentRange)/26")
        #expect(response.header("Content-Length") == String(text.utf8.count))
        #expect(response.header("ETag") == "range26")
        #expect(response.header("Accept-Ranges") == "bytes")
        #expect(response.text == text)
        let head = try server.exchange("HEAD", "/range/26", headers: headers)
        #expect(head.head == response.head)
    }

    @Test func `letters repeat`() throws {
        #expect(
            try server.exchange("GET", "/range/60", headers: ["Range: bytes=24-53"]).text
                == "yzabcdefghijklmnopqrstuvwxyzab"
        )
        #expect(try server.exchange("GET", "/range/102400").body.count == 102_400)
    }

    @Test(arguments: ["/range/0", "/range/102401", "/range/-1", "/range/a", "/stream/-1", "/stream/a"])
    func `values out of bounds are not found`(target: String) throws {
        #expect(try server.exchange("GET", target).status == 404)
    }
}
