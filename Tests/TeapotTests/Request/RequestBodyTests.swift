import Foundation
import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct RequestBodyTests {
    @Test func `of a dictionary is JSON`() throws {
        let body = try Teapot.Request.Body(.dictionary(["url": "a/b", "a": ["ü", NSNull(), true, 1.5] as [Any]]))
        #expect(String(decoding: body.data ?? Data(), as: UTF8.self) == #"{"a":["ü",null,true,1.5],"url":"a/b"}"#)
        #expect(body.contentType == "application/json")
    }

    @Test func `of an array is JSON`() throws {
        let body = try Teapot.Request.Body(.array([["a": 1], ["b": 2]]))
        #expect(String(decoding: body.data ?? Data(), as: UTF8.self) == #"[{"a":1},{"b":2}]"#)
        #expect(body.contentType == "application/json")
    }

    static let parsedBodies = [
        (#"{"a":1}"#, "application/json"), ("[]", "application/json"), (" {} \n", "application/json"),
        ("1", "application/json"), ("\"x\"", "application/json"), ("null", "application/json"),
        ("true", "application/json"),
        ("", "application/octet-stream"), ("{", "application/octet-stream"), ("text", "application/octet-stream"),
        ("{}{}", "application/octet-stream"), ("NaN", "application/octet-stream"), (" ", "application/octet-stream"),
        ("{'a':1}", "application/octet-stream"),
    ]

    @Test(arguments: brief(parsedBodies))
    func `of data is its parsed form`(_ argument: Brief<(String, String)>) throws {
        let (text, contentType) = argument.value
        let data = Data(text.utf8)
        let body = try Teapot.Request.Body(.data(data))
        #expect(body.data == data)
        #expect(body.contentType == contentType)
        #expect(Teapot.Request.Body(data).contentType == body.contentType)
    }

    @Test func `of other bytes is an octet stream`() {
        #expect(Teapot.Request.Body(Data([0xFF, 0xD8, 0x00])).contentType == "application/octet-stream")
    }

    @Test func `has the content type it is given`() {
        #expect(Teapot.Request.Body(Data("{}".utf8), contentType: "text/plain").contentType == "text/plain")
    }

    @Test func `refuses what JSON cannot hold`() {
        let error = #expect(throws: TeapotError.self) { try Teapot.Request.Body(.dictionary(["a": Date()])) }
        #expect(error?.type == .invalidPayload)
    }

    @Test func `is accepted in place of a value`() throws {
        let body = Teapot.Request.Body(file: URL(filePath: "/tmp/tea"), contentType: "image/x-tea")
        #expect(Teapot.Request.Body(encoding: body).file == body.file)
        #expect(Teapot.Request.Body(encoding: body).contentType == body.contentType)
    }

    @Test func `is not part of a value`() {
        let bodies = ["a": [Teapot.Request.Body(Data("tea".utf8))]]
        let error = #expect(throws: TeapotError.self) { try Teapot.Request.Body(encoding: bodies).encoded() }
        #expect(error?.type == .invalidPayload)
        #expect(error?.failureReason == "$.a[0]: a request body cannot be part of another value")
    }
}
