import Foundation
import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct CookieResponseTests {
    private func response(_ fields: [String: String], cookies: [String]) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "http://h/"))
        return try #require(
            CookieResponse.make(
                url: url,
                statusCode: 200,
                httpVersion: "HTTP/1.1",
                headerFields: fields,
                cookies: cookies
            )
        )
    }

    @Test func `a response without cookies is one of Foundation's`() throws {
        let response = try response(["X-A": "1"], cookies: [])
        #expect(type(of: response) == HTTPURLResponse.self)
        #expect(response.setCookieFields.isEmpty)
        #expect(response.value(forHTTPHeaderField: "X-A") == "1")
    }

    @Test(arguments: [["a=1, b=2"], ["a=1, b=2", "c=3; Expires=Wed, 09 Jun 2100 10:18:14 GMT"]])
    func `the fields are those that were received`(cookies: [String]) throws {
        let response = try response(["Set-Cookie": cookies.joined(separator: ", ")], cookies: cookies)
        #expect(response.setCookieFields == cookies)
        #expect(response.status == 200)
    }

    @Test func `joined fields are separated`() throws {
        let fields = ["set-cookie": "a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT, b=2"]
        let expected = ["a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT", "b=2"]
        #expect(try response(fields, cookies: []).setCookieFields == expected)
    }
}
