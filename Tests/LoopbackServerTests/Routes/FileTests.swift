import Foundation
import LoopbackServer
import TestTraits
import Testing

/// Large contents are compared by their digests: the test library takes minutes to say where they differ.
@Suite(.inTurn)
struct FileTests {
    let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
    }

    private static let whole = 0..<1000

    @Test(arguments: ["", "?version=2", "?chunked=1"])
    func `the whole file`(query: String) throws {
        let response = try server.exchange("GET", "/file/200000\(query)")
        #expect(response.status == 200)
        #expect(response.header("Content-Type") == "application/octet-stream")
        #expect(response.header("Accept-Ranges") == "bytes")
        #expect(response.header("Content-Range") == nil)
        #expect(BodyDigest(response.body) == GeneratedFile.digest(0..<200_000, version: query == "?version=2" ? 2 : 1))
        #expect(try server.exchange("GET", "/file/200000\(query)").header("ETag") == response.header("ETag"))
        if query == "?chunked=1" {
            #expect(response.header("Content-Length") == nil)
            #expect(response.chunks.map(\.count) == [65_536, 65_536, 65_536, 3392])
        } else {
            #expect(response.header("Content-Length") == "200000")
        }
    }

    @Test func `an empty file`() throws {
        for target in ["/file/0", "/file/0?chunked=1"] {
            let response = try server.exchange("GET", target)
            #expect(response.status == 200)
            #expect(response.body.isEmpty)
        }
        let response = try server.exchange("GET", "/file/0", headers: ["Range: bytes=0-"])
        #expect(response.status == 416)
        #expect(response.header("Content-Range") == "bytes */0")
    }

    @Test(arguments: [
        ("bytes=0-9", 206, 0..<10),
        ("Bytes=990-", 206, 990..<1000),
        ("bytes=-5", 206, 995..<1000),
        ("bytes=-5000", 206, whole),
        ("bytes=0-", 206, whole),
        ("bytes=900-5000", 206, 900..<1000),
        ("bytes=999-99999999999999999999", 206, 999..<1000),
        ("bytes=1000-", 416, nil),
        ("bytes=99999999999999999999-", 416, nil),
        ("bytes=-0", 416, nil),
        ("bytes=9-3", 416, nil),
        ("bytes=0-1,5-6", 200, nil),
        ("bytes=a-b", 200, nil),
        ("bytes=-", 200, nil),
        ("lines=0-9", 200, nil),
    ])
    func ranges(range: String, status: Int, part: Range<Int>?) throws {
        let response = try server.exchange("GET", "/file/1000", headers: ["Range: \(range)"])
        #expect(response.status == status)
        switch (status, part) {
        case (206, let part?):
            #expect(response.header("Content-Range") == "bytes \(part.lowerBound)-\(part.upperBound - 1)/1000")
            #expect(response.header("Content-Length") == String(part.count))
            #expect(response.body == GeneratedFile.bytes(part))
        case (416, nil):
            #expect(response.header("Content-Range") == "bytes */1000")
            #expect(response.body.isEmpty)
        default:
            #expect(response.header("Content-Range") == nil)
            #expect(response.body == GeneratedFile.bytes(0..<1000))
        }
    }

    @Test func `a part may be chunked`() throws {
        let response = try server.exchange("GET", "/file/1000?chunked=1", headers: ["Range: bytes=5-"])
        #expect(response.status == 206)
        #expect(response.header("Content-Range") == "bytes 5-999/1000")
        #expect(response.body == GeneratedFile.bytes(5..<1000))
    }

    @Test func `ranges can be turned off`() throws {
        let response = try server.exchange("GET", "/file/1000?ranges=none", headers: ["Range: bytes=5-"])
        #expect(response.status == 200)
        #expect(response.header("Accept-Ranges") == nil)
        #expect(response.body.count == 1000)
    }

    @Test func `a shifted range says what it contains`() throws {
        let response = try server.exchange("GET", "/file/1000?shift=1", headers: ["Range: bytes=500-"])
        #expect(response.status == 206)
        #expect(response.header("Content-Range") == "bytes 501-999/1000")
        #expect(response.body == GeneratedFile.bytes(501..<1000))
    }

    // MARK: Validators

    @Test(
        arguments: [
            ("", true, true), ("etag", true, false), ("weak", true, false), ("date", false, true),
            ("none", false, false),
        ]
    )
    func `each file shows the requested validators`(name: String, hasTag: Bool, hasDate: Bool) throws {
        let response = try server.exchange("GET", "/file/10?validator=\(name)")
        #expect((response.header("ETag") != nil) == hasTag)
        #expect((response.header("Last-Modified") != nil) == hasDate)
        #expect(response.header("ETag")?.hasPrefix("W/\"") == (hasTag ? name == "weak" : nil))
        #expect(response.header("ETag")?.hasSuffix("\"") == (hasTag ? true : nil))
    }

    @Test func `the last modification was long ago`() throws {
        // Or else the date would be no strong validator (RFC 9110, section 8.8.2.2).
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let response = try server.exchange("GET", "/file/10")
        let date = try #require(response.header("Date").flatMap(formatter.date))
        let modified = try #require(response.header("Last-Modified").flatMap(formatter.date))
        #expect(abs(date.timeIntervalSinceNow) < 60)
        #expect(date.timeIntervalSince(modified) > 60)
    }

    @Test func `another version has other validators`() throws {
        let (first, second) = (try server.exchange("GET", "/file/10"), try server.exchange("GET", "/file/10?version=2"))
        #expect(first.header("ETag") != second.header("ETag"))
        #expect(first.header("Last-Modified") != second.header("Last-Modified"))
        #expect(try first.header("ETag") != server.exchange("GET", "/file/11").header("ETag"))
    }

    @Test(
        arguments: [
            ("etag", "ETag", 206), ("weak", "ETag", 200), ("date", "Last-Modified", 206),
            ("", "ETag", 206), ("", "Last-Modified", 206),
        ]
    )
    func `a range is sent of the same file only`(validator: String, field: String, status: Int) throws {
        let target = "/file/1000?validator=\(validator)"
        let value = try #require(server.exchange("GET", target).header(field))
        let headers = ["Range: bytes=500-", "If-Range: \(value)"]
        #expect(try server.exchange("GET", target, headers: headers).status == status)
        let changed = try server.exchange("GET", target + "&version=2", headers: headers)
        #expect(changed.status == 200)
        #expect(changed.body == GeneratedFile.bytes(0..<1000, version: 2))
        #expect(try server.exchange("GET", "/file/1000?validator=none", headers: headers).status == 200)
    }

    @Test(arguments: ["W/\"x\"", "\"x\"", "Thu, 01 Jan 1970 00:00:00 GMT", "tomorrow"])
    func `with another validator, a range is ignored`(value: String) throws {
        let headers = ["Range: bytes=5000-", "If-Range: \(value)"]
        #expect(try server.exchange("GET", "/file/1000", headers: headers).status == 200)
    }

    @Test func `without a range, a validator does nothing`() throws {
        #expect(try server.exchange("GET", "/file/1000", headers: ["If-Range: \"x\""]).status == 200)
    }

    // MARK: Endings

    @Test(arguments: [0, 1, 65_536, 65_537, 199_999])
    func `a response that is cut off ends the connection`(count: Int) throws {
        let client = try RawClient(port: server.port)
        try client.send("GET /file/200000?cut=\(count) HTTP/1.1\r\n\r\n")
        #expect(try client.read(through: "\r\n\r\n").contains("Content-Length: 200000\r\n"))
        #expect(try BodyDigest(client.readToEnd()) == GeneratedFile.digest(0..<count))
    }

    @Test func `a part is cut off by its own bytes`() throws {
        let client = try RawClient(port: server.port)
        try client.send("GET /file/1000?cut=10 HTTP/1.1\r\nRange: bytes=500-\r\n\r\n")
        #expect(try client.read(through: "\r\n\r\n").contains("Content-Range: bytes 500-999/1000\r\n"))
        #expect(try client.readToEnd() == GeneratedFile.bytes(500..<510))
    }

    @Test func `chunks are cut off without the last one`() throws {
        let client = try RawClient(port: server.port)
        try client.send("GET /file/1000?chunked=1&cut=16 HTTP/1.1\r\n\r\n")
        _ = try client.read(through: "\r\n\r\n")
        #expect(try client.readToEnd() == Data("10\r\n".utf8) + GeneratedFile.bytes(0..<16) + Data("\r\n".utf8))
    }

    @Test func `a cut beyond the end cuts nothing`() throws {
        let client = try RawClient(port: server.port)
        try client.send("GET /file/10?cut=11 HTTP/1.1\r\n\r\nGET /status/201 HTTP/1.1\r\n\r\n")
        #expect(try client.readResponse().body == GeneratedFile.bytes(0..<10))
        #expect(try client.readResponse().status == 201)
    }

    @Test(arguments: ["", "&cut=70000"])
    func `the rest waits for release`(query: String) throws {
        let client = try RawClient(port: server.port)
        try client.send("GET /file/70000?wait=1\(query) HTTP/1.1\r\nConnection: close\r\n\r\n")
        _ = try client.read(through: "\r\n\r\n")
        #expect(try BodyDigest(client.readBytes(65_536)) == GeneratedFile.digest(0..<65_536))
        server.release()
        #expect(try BodyDigest(client.readToEnd()) == GeneratedFile.digest(65_536..<70_000))
    }

    @Test func `stopping ends the wait`() throws {
        let client = try RawClient(port: server.port)
        try client.send("GET /file/70000?wait=1 HTTP/1.1\r\n\r\n")
        _ = try client.read(through: "\r\n\r\n")
        #expect(try client.readBytes(65_536).count == 65_536)
        server.stop()
        #expect(try client.readToEnd().isEmpty)
    }

    // MARK: Others

    @Test func `HEAD describes the whole file`() throws {
        let head = try server.exchange("HEAD", "/file/1000000?cut=5&wait=1", headers: ["Range: bytes=5-"])
        #expect(head.status == 200)
        #expect(head.header("Content-Length") == "1000000")
        #expect(head.header("Accept-Ranges") == "bytes")
        #expect(try head.header("ETag") == server.exchange("HEAD", "/file/1000000").header("ETag"))
    }

    @Test(arguments: ["/file/-1", "/file/a", "/file/1073741825"])
    func `sizes that are too large are not found`(target: String) throws {
        #expect(try server.exchange("GET", target).status == 404)
    }
}
