import Foundation
import LoopbackServer
import TestTraits
import Testing

@Suite(.inTurn)
struct EchoTests {
    let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
    }

    @Test func `queries are decoded and repeated names become arrays`() throws {
        let json = try #require(server.exchange("GET", "/get?a=1&b=x%20y+z&a=2&c&d=%26%zz").json)
        #expect(json["args"] as? NSDictionary == ["a": ["1", "2"], "b": "x y z", "c": "", "d": "&%zz"])
        #expect(json["url"] as? String == "http://loopback/get?a=1&b=x%20y+z&a=2&c&d=%26%zz")
        #expect(json["origin"] as? String == "127.0.0.1")
    }

    @Test func `header names are capitalised and repeated ones joined`() throws {
        let json = try #require(server.exchange("GET", "/headers", headers: ["x-TEA-kind: a", "X-Tea-Kind:b  "]).json)
        #expect(json["headers"] as? NSDictionary == ["Host": "loopback", "X-Tea-Kind": "a,b"])
    }

    @Test func `the method is reported`() throws {
        #expect(try server.exchange("BREW", "/anything/x").json?["method"] as? String == "BREW")
    }

    @Test(arguments: [
        ("{\"a\": [1, 2.5, true, null]}", "{\"a\":[1,2.5,true,null]}"),
        ("\"leaf\"", "\"leaf\""),
        ("not JSON", "null"),
        ("", "null"),
    ])
    func `bodies are parsed as JSON`(body: String, parsed: String) throws {
        let json = try #require(server.exchange("POST", "/post", body: body).json)
        #expect(json["data"] as? String == body)
        let echoed = try JSONSerialization.data(withJSONObject: json["json"] as Any, options: .fragmentsAllowed)
        #expect(String(decoding: echoed, as: UTF8.self) == parsed)
    }

    @Test func `bodies that are not text become data URLs`() throws {
        let json = try #require(server.exchange("PUT", "/put", headers: [], bytes: Data([0xFF, 0xFE])).json)
        #expect(json["data"] as? String == "data:application/octet-stream;base64,//4=")
    }

    @Test func `forms are decoded`() throws {
        let type = "content-type: application/x-www-form-urlencoded"
        let json = try #require(
            server.exchange("POST", "/post", headers: [type], body: "a=1&a=2&b=%C3%A9+x").json
        )
        #expect(json["form"] as? NSDictionary == ["a": ["1", "2"], "b": "é x"])
        #expect(json["data"] as? String == "")
        #expect(json["json"] is NSNull)
    }

    @Test func `multipart forms are parsed`() throws {
        let body = [
            "--leaf", "Content-Disposition: form-data; name=\"a\"", "", "1",
            "--leaf", "content-disposition: form-data; name=a", "", "2",
            "--leaf", "Content-Disposition: form-data; name=\"f\"; filename=\"f.txt\"", "Content-Type: text/plain", "",
            "two", "lines",
            "--leaf--", "",
        ].joined(separator: "\r\n")
        let json = try #require(
            server.exchange(
                "POST",
                "/post",
                headers: ["Content-Type: multipart/form-data; boundary=\"leaf\""],
                body: body
            ).json
        )
        #expect(json["form"] as? NSDictionary == ["a": ["1", "2"]])
        #expect(json["files"] as? NSDictionary == ["f": "two\r\nlines"])
    }

    @Test func `control characters are escaped`() throws {
        let body = "\u{1}\u{1F}\t\r\n\"\\/é🍵"
        #expect(try server.exchange("POST", "/post", body: body).json?["data"] as? String == body)
    }
}
