import Foundation
import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct RequestBodyTests {
    static let parsedBodies: [(String, String)] = [
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

    @Test func `of JSON is a value, also of data`() throws {
        let body = try Teapot.Request.Body.json(Data("tea".utf8)).encoded()
        #expect(body.data == Data(#""dGVh""#.utf8))
        #expect(body.contentType == "application/json")
    }
}
