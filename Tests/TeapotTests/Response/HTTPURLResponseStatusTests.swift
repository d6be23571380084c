@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct HTTPURLResponseStatusTests {
    @Test(arguments: [100, 200, 204, 404, 599, 999, 0, -1])
    func `is its status code`(code: Int) throws {
        let url = try #require(URL(string: "http://h"))
        let response = try #require(HTTPURLResponse(url: url, statusCode: code, httpVersion: nil, headerFields: nil))
        #expect(response.status == code)
        #expect(response.status == response.statusCode)
    }

    @Test(arguments: [
        "http://h", "https://u:p@h:1/a?b#c", "data:", "data:text/plain,x", "file:///etc/passwd", "mailto:a@b", "a",
        "//h", "?",
        "#", "http:", "http://", "ü😀", "http://ü😀/ü😀?ü😀#ü😀", "about:blank", "x:y",
    ])
    func `is bad request in a stand-in`(text: String) throws {
        let url = try #require(URL(string: text))
        let response = HTTPURLResponse.standIn(for: url)
        #expect(response.status == 400)
        #expect(response.url == URL(string: text.replacing("u:p@", with: "")))
        #expect(response.allHeaderFields.isEmpty)
    }

    @Test func `is bad request in a stand-in for a long URL`() throws {
        try `is bad request in a stand-in`(text: "http://h/" + String(repeating: "a", count: 1_000_000))
    }

    @Test func `is bad request in a stand-in for any file`() {
        for url in [URL(fileURLWithPath: ""), URL(fileURLWithPath: "/a\0b"), URL(fileURLWithPath: "ü/😀")] {
            #expect(HTTPURLResponse.standIn(for: url).status == 400)
        }
    }
}
