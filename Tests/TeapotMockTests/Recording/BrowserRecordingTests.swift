import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// A recording as a browser exports it, with all that is odd in one: a byte order mark, members of its own, fractional times,
/// HTTP/3, pseudo header fields, repeated and joined ones, Base64, bodies that were not saved, `data:` URLs.
@Suite(.inTurn)
struct BrowserRecordingTests {
    private let mock: MockTeapot

    init() throws {
        mock = try MockTeapot(har: #require(Bundle.module.url(forResource: "browser", withExtension: "har")))
    }

    @Test func `gives JSON, however it was compressed`() async throws {
        #expect(mock.baseURL.absoluteString == "https://shop.test")
        let response = try await mock.get("api/products?sort=price%20asc&page=2")
        #expect(String(decoding: response.data, as: UTF8.self) == #"{"products":[{"id":7,"name":"Teapot 🫖"}]}"#)
        #expect(
            Dictionary(uniqueKeysWithValues: response.headerFields.map { ($0.name.lowercased(), $0.value) }) == [
                "content-encoding": "br", "content-type": "application/json; charset=utf-8", "content-length": "31",
                "vary": "accept-encoding, origin",
            ]
        )
        #expect(response.http.url?.absoluteString == "https://shop.test/api/products?sort=price%20asc&page=2")
    }

    @Test func `gives an image`() throws {
        let result = try imageAnswer { mock.downloadImage(path: "img/logo.png", completion: $0) }
        #expect(result.isSuccess)
        #expect(result.response.value(forHTTPHeaderField: "content-type") == "image/png")
    }

    @Test func `gives a redirect, which the client follows`() async throws {
        let response = try await mock.get("latest")
        #expect(response.json?.dictionary?["id"] as? Int == 7)
        #expect(
            mock.requests.map(\.url.absoluteString) == [
                "https://shop.test/latest", "https://shop.test/api/products/7?from=latest",
            ]
        )
    }

    @Test func `gives a 304`() async {
        let error = await thrown { () throws(TeapotError) in
            try await mock.get("style.css", headerFields: ["If-None-Match": "\"b2\""])
        }
        #expect(error?.responseStatus == 304)
        #expect(error?.data?.isEmpty == true)
    }

    @Test func `gives a connection that was refused`() async throws {
        mock.baseURL = try #require(URL(string: "http://127.0.0.1:9"))
        let error = await thrown { () throws(TeapotError) in try await mock.get("metrics") }
        #expect(error?.type == .noResponse)
        #expect(error?.code == .cannotConnectToHost)
    }

    @Test func `says that a body was not saved`() async {
        let error = await thrown { () throws(TeapotError) in try await mock.get("film.mp4") }
        #expect(error?.type == .invalidMockFile)
        #expect(error?.failureReason == "entry 8: its body is missing: 734003 bytes were not saved")
    }

    @Test func `gives cookies, and compares forms`() async throws {
        func request(_ form: String) -> Teapot.Request {
            let type = "application/x-www-form-urlencoded"
            return Teapot.Request(.post, path: "login", body: .init(Data(form.utf8), contentType: type))
        }
        let response = try await mock.send(request("user=ada&remember=on"))
        #expect(response.json?.dictionary?["ok"] as? Bool == true)
        _ = try await mock.get("latest")
        #expect(mock.requests.last?.headerFields["Cookie"] == "basket=empty; lang=en")
        let error = await thrown { () throws(TeapotError) in try await mock.send(request("user=eve&remember=on")) }
        #expect(error?.failureReason == "the body differs: at byte 5")
        let declared = [
            "GET /api/products?page=2&sort=price asc (browser.har, entry 1)",
            "POST /login with a body (browser.har, entry 9)",
        ]
        #expect(declared.allSatisfy { error?.description.contains($0) == true })
    }
}
