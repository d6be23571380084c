import Teapot
import TestTraits
import Testing

/// Forms of type `application/x-www-form-urlencoded`, as servers read them.
@Suite(.inTurn)
struct URLEncodedFormContractTests {
    private struct Echo: Decodable, Sendable {
        let form: [String: String]
        let headers: [String: String]
        let data: String
    }

    private static let texts = [
        "plain", "two words", "a+b", "a&b=c;d", "ümläut 日本語 😀", "50%41", "line\r\nbreak", "~!*'()-._", "\"quoted\" \\",
        "",
    ]

    @Test(arguments: Backend.servers)
    func `a form is read as it was written`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let items = QueryItems(Self.texts.map { URLQueryItem(name: "name " + $0, value: $0) })
        let echo = try await teapot.post("post", body: Teapot.Request.Body(form: items), as: Echo.self)
        #expect(echo.form == Dictionary(uniqueKeysWithValues: Self.texts.map { ("name " + $0, $0) }))
        #expect(echo.headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(echo.data.isEmpty)
    }
}
