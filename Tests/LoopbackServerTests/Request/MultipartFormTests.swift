import Foundation
import LoopbackServer
import TestTraits
import Testing

@Suite(.inTurn)
struct MultipartFormTests {
    let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
    }

    /// Posts parts, each a list of header lines and a content, and gives what the server made of them.
    private func echo(_ parts: [(headers: [String], content: Data)], boundary: String = "leaf") throws -> NSDictionary {
        var body = Data()
        for part in parts {
            let lines = ["--leaf"] + part.headers + ["", ""]
            body += Data(lines.joined(separator: "\r\n").utf8) + part.content + Data("\r\n".utf8)
        }
        body += Data("--leaf--\r\n".utf8)
        let type = "Content-Type: multipart/form-data; boundary=\(boundary)"
        return try #require(server.exchange("POST", "/post", headers: [type], bytes: body).json)
    }

    @Test(
        arguments: [
            ("name=\"a%22b\"", "a\"b"),
            ("name=\"a\\\"b\"", "a\"b"),
            ("name=\"a\\\\b\"", "a\\b"),
            ("name=\"a\\\\\"", "a\\"),
            ("name=\"a%0D%0Ab\"", "a%0D%0Ab"),
            ("name=\"a%252\"", "a%252"),
            ("name=\"a; x=y\"", "a; x=y"),
            ("name=\" a \"", " a "),
            ("name=\"\"", ""),
            ("name=\"茶\"", "茶"),
            ("name=\"e\u{301}\"", "e\u{301}"),
            ("name=a%22b", "a\"b"),
            ("NAME=a ;other", "a"),
            ("other=\"name=b\"; name=\"a\"", "a"),
            ("name=a; other=\"open; name=b", "b"),
        ]
    )
    func `names are read as Werkzeug reads them`(parameters: String, name: String) throws {
        let json = try echo([(["Content-Disposition: form-data; \(parameters)"], Data("x".utf8))])
        #expect(json["form"] as? NSDictionary == [name: "x"])
        #expect(json["files"] as? NSDictionary == [:])
    }

    @Test(
        arguments: ["\"\"", "\"té.txt\"", "\"a\\\"; name=\\\"b\"", "\"a%22; name=%22b\"", "leaf.txt"]
    )
    func `any file name makes a file`(filename: String) throws {
        let json = try echo([(["Content-Disposition: form-data; name=\"a\"; filename=\(filename)"], Data("x".utf8))])
        #expect(json["files"] as? NSDictionary == ["a": "x"])
        #expect(json["form"] as? NSDictionary == [:])
    }

    @Test func `files that are not text become data URLs`() throws {
        let disposition = "Content-Disposition: form-data; filename=\"f\"; name="
        let json = try echo([
            ([disposition + "a"], Data([0xFF])),
            (["Content-Type: image/png", disposition + "b"], Data([0xFF])),
            ([disposition + "c"], Data("é".utf8)),
        ])
        let files = ["a": "data:application/octet-stream;base64,/w==", "b": "data:image/png;base64,/w==", "c": "é"]
        #expect(json["files"] as? NSDictionary == files as NSDictionary)
    }

    @Test func `of several files with one name, the first is reported`() throws {
        let disposition = "Content-Disposition: form-data; name=a; filename="
        let json = try echo([([disposition + "1"], Data("1".utf8)), ([disposition + "2"], Data("2".utf8))])
        #expect(json["files"] as? NSDictionary == ["a": "1"])
    }

    @Test func `content may look like a delimiter`() throws {
        let content = "x--leaf\r\n--leafy\r\n-- leaf\r\n"
        let json = try echo([(["Content-Disposition: form-data; name=a"], Data(content.utf8))])
        #expect(json["form"] as? NSDictionary == ["a": content])
    }

    @Test func `the boundary may be quoted`() throws {
        let json = try echo([(["Content-Disposition: form-data; name=a"], Data())], boundary: "\"leaf\"; charset=utf-8")
        #expect(json["form"] as? NSDictionary == ["a": ""])
    }

    @Test func `nothing comes after the end`() throws {
        let body = "--leaf--\r\n--leaf\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--leaf--\r\n"
        let type = "Content-Type: multipart/form-data; boundary=leaf"
        let json = try #require(server.exchange("POST", "/post", headers: [type], body: body).json)
        #expect(json["form"] as? NSDictionary == [:])
    }
}
