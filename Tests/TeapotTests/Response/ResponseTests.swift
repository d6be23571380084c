import Foundation
@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct ResponseTests {
    @Test func `has status, header fields and body`() throws {
        let url = try #require(URL(string: "http://h"))
        let http = try #require(
            HTTPURLResponse(url: url, statusCode: 201, httpVersion: nil, headerFields: ["X-A": "1"])
        )
        let response = Teapot.Response(data: Data(#"{"a":1}"#.utf8), http: http)
        #expect(response.status == 201)
        #expect(response.headerFields["x-a"] == "1")
        #expect(response.json?.dictionary?["a"] as? Int == 1)
        #expect(response.http === http)
    }

    @Test(arguments: ["", "1", "[1]", "text"])
    func `keeps the bytes of other data`(text: String) throws {
        let url = try #require(URL(string: "http://h"))
        let response = Teapot.Response(data: Data(text.utf8), http: .standIn(for: url))
        #expect(response.json == nil)
        #expect(response.data == Data(text.utf8))
    }
}
