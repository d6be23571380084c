import Foundation
import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct MultipartDataTests {
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
