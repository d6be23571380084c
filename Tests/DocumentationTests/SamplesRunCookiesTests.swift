import Teapot
import TeapotMock
import TestTraits
import Testing

/// The samples of cookies do what the page says of them.
@Suite(.inTurn)
struct SamplesRunCookiesTests {
    @Test func `a token is repeated, and cookies are saved and restored`() async throws {
        let mock = MockTeapot(strictIn: .module)
        try mock.overrideEndPoint("login", with: .status(.ok, headerFields: ["Set-Cookie": "csrftoken=t0ken; Path=/"]))
        try mock.overrideEndPoint("notes", with: .status(.created))
        try await CookieSamples.csrf(mock, note: [:])
        #expect(mock.requests.last?.headerFields["X-CSRFToken"] == "t0ken")
        #expect(mock.requests.last?.headerFields["Cookie"] == "csrftoken=t0ken")
        let saved = try CookieSamples.saving(mock)
        try CookieSamples.clearing(mock)
        #expect(mock.cookies.all.isEmpty)
        try CookieSamples.restoring(mock, saved: saved)
        #expect(mock.cookies["csrftoken"] == "t0ken")
    }
}
