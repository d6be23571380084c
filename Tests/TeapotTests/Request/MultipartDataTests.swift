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

    @Test func `accepts an image`() throws {
        let teapot = try Teapot(baseURL: #require(URL(string: "http://h")))
        let bytes = Data("GIF89a\u{1}\0\u{1}\0".utf8)
        let image = try #require(TeapotImage(data: bytes))
        let body = teapot.multipartData(from: image, boundary: "B1", filename: "a.gif")
        #expect(body == teapot.multipartData(from: bytes, boundary: "B1", filename: "a.gif", name: "image"))
        let named = teapot.multipartData(from: image, boundary: "B1", filename: "a.gif", name: "a\"\r\nX: y")
        #expect(String(decoding: named, as: UTF8.self).contains("name=\"a%22%0D%0AX: y\"; filename=\"a.gif\"\r\n"))
    }
}
