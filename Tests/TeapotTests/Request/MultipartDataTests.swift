import Foundation
import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct MultipartDataTests {
    private func body(_ data: Data, _ filename: String) throws -> String {
        let teapot = try Teapot(baseURL: #require(URL(string: "http://h")))
        return String(decoding: teapot.multipartData(from: data, boundary: "B1", filename: filename), as: UTF8.self)
    }

    @Test func `has one file`() throws {
        #expect(
            try body(Data("some text".utf8), "notes.txt")
                == "--B1\r\n"
                + "Content-Disposition: form-data; name=\"image\"; filename=\"notes.txt\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n"
                + "some text\r\n"
                + "--B1--\r\n"
        )
    }

    @Test(arguments: brief([("avatar", "avatar"), ("a\"\r\nX: y", "a%22%0D%0AX: y")]))
    func `has a name of the caller's`(_ argument: Brief<(String, String)>) throws {
        let (name, escaped) = argument.value
        let teapot = try Teapot(baseURL: #require(URL(string: "http://h")))
        let body = teapot.multipartData(from: Data("x".utf8), boundary: "B1", filename: "f", name: name)
        #expect(String(decoding: body, as: UTF8.self).contains("form-data; name=\"\(escaped)\"; filename=\"f\"\r\n"))
    }

    @Test func `accepts an image`() throws {
        let teapot = try Teapot(baseURL: #require(URL(string: "http://h")))
        let bytes = Data("GIF89a\u{1}\0\u{1}\0".utf8)
        let image = try #require(TeapotImage(data: bytes))
        let body = teapot.multipartData(from: image, boundary: "B1", filename: "a.gif")
        #expect(body == teapot.multipartData(from: bytes, boundary: "B1", filename: "a.gif", name: "image"))
        let named = teapot.multipartData(from: image, boundary: "B1", filename: "a.gif", name: "logo")
        #expect(String(decoding: named, as: UTF8.self).contains("name=\"logo\""))
    }

    @Test func `may be empty`() throws {
        #expect(
            try body(Data(), "").hasSuffix(
                "filename=\"\"\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--B1--\r\n"
            )
        )
    }

    @Test func `keeps bytes unchanged`() throws {
        let teapot = try Teapot(baseURL: #require(URL(string: "http://h")))
        let bytes = Data(UInt8.min...UInt8.max) + Data("\r\n--B\r\n".utf8)
        let body = teapot.multipartData(from: bytes, boundary: "B1", filename: "f")
        #expect(body.dropLast("\r\n--B1--\r\n".utf8.count).suffix(bytes.count) == bytes)
    }

    @Test func `knows images`() throws {
        #expect(
            try body(Data("GIF89a\u{1}\0\u{1}\0".utf8), "a.gif").contains("\r\nContent-Type: image/gif\r\n\r\nGIF89a")
        )
    }

    static let escapedFilenames = [
        ("a\"; filename=\"b", "a%22; filename=%22b"), ("a\r\nX: y", "a%0D%0AX: y"), ("a\nb\rc", "a%0Ab%0Dc"),
        ("\r\n\r\n--B1--", "%0D%0A%0D%0A--B1--"), ("a\"\u{301}b", "a%22\u{301}b"),
        ("\r\u{301}\n\u{301}", "%0D\u{301}%0A\u{301}"),
        ("ünï 😀.png", "ünï 😀.png"), ("a\\b/..", "a\\b/.."), ("100%", "100%"),
    ]

    @Test(arguments: brief(escapedFilenames))
    func `escapes filenames`(_ argument: Brief<(String, String)>) throws {
        let (filename, escaped) = argument.value
        let text = try body(Data(), filename)
        let start = try #require(text.range(of: "filename=\"")?.upperBound)
        let rest = text.unicodeScalars[start...]
        #expect(rest.starts(with: "\(escaped)\"\r\nContent-Type".unicodeScalars))
    }
}
