import Foundation
@testable import Teapot
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct NetworkResultTests {
    private let url: URL
    private let response: HTTPURLResponse
    private let error = TeapotError(type: .noResponse, description: "none")

    init() throws {
        url = try #require(URL(string: "http://h/x"))
        response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
    }

    @Test func `an error makes a failure, with what there is of a body`() throws {
        #expect(CallResult(NetworkResult(JSON(["a": 1]), response)).isSuccess)
        let failure = CallResult(NetworkResult(JSON(["a": 1]), response, error))
        #expect(failure.error == error)
        #expect(failure.dictionary["a"] as? Int == 1)
        #expect(failure.response === response)
        let status = TeapotError.invalidResponseStatus(.foundation(response), data: Data(#"{"a":"why"}"#.utf8))
        let result = CallResult(NetworkResult(.failure(status), requestURL: { url }))
        #expect(result.text("a") == "why")
        #expect(result.response === response)
        #expect(CallResult(NetworkImageResult(.failure(status), requestURL: { url })).response === response)
    }

    @Test func `an image or nothing but an image is a success`() throws {
        let png = try ImageFixture(filename: "rgb.png", format: .png).data()
        let image = try #require(TeapotImage(data: png))
        #expect(CallResult(NetworkImageResult(image, response)).image != nil)
        #expect(CallResult(NetworkImageResult(image, response, error)).error == error)
        #expect(CallResult(NetworkImageResult(nil, response)).error?.type == .missingImage)
        for (data, hasImage) in [(png, true), (Data(), false), (Data("GIF8".utf8), false)] {
            let outcome = Teapot.Outcome.success(Teapot.Response(data: data, http: response))
            let result = CallResult(NetworkImageResult(outcome, requestURL: { url }))
            #expect((result.image != nil) == hasImage)
            #expect(result.error?.type == (hasImage ? nil : .missingImage))
            #expect(result.error?.data == (hasImage ? nil : data))
            #expect(result.response === response)
        }
    }

    @Test func `describes itself without secrets`() throws {
        let url = try #require(URL(string: "http://h/x?token=hush"))
        let fields = ["Set-Cookie": "hush"]
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields)
        )
        let success = NetworkResult(JSON(["token": "hush"]), response, nil)
        #expect("\(success)" == "success: 200 http://h/x?token=<redacted>")
        let failure = "failure: 200 http://h/x?token=<redacted>, noResponse: none"
        #expect("\(NetworkResult(nil, response, error))" == failure)
        #expect("\(NetworkImageResult(nil, response, error))" == failure)
        let whole = Teapot.Response(data: Data("hush".utf8), http: response)
        #expect(String(reflecting: whole) == "200 http://h/x?token=<redacted>, 4 bytes")
        let request = Teapot.Request(.put, path: "x?token=hush", headerFields: ["Authorization": "hush"])
        #expect("\(request)" == "PUT x?token=<redacted>")
    }

    private static let urls = [
        "http://h", "https://u:p@h:1/a?b#c", "data:", "data:text/plain,x", "file:///etc/passwd", "mailto:a@b", "a",
        "//h", "?", "#", "http:", "http://", "ü😀", "http://ü😀/ü😀?ü😀#ü😀", "about:blank", "x:y",
        "http://h/" + String(repeating: "a", count: 100_000), "file:///a%00b",
    ]

    @Test(arguments: brief(urls)) func `any URL can stand in for a missing response`(_ argument: Brief<String>) throws {
        let text = argument.value
        let url = try #require(URL(string: text))
        let result = CallResult(NetworkResult(.failure(error), requestURL: { url }))
        #expect(result.error == error)
        #expect(result.json == nil)
        #expect(result.response.status == 400)
        #expect(result.response.url == URL(string: text.replacing("u:p@", with: "")))
        #expect(result.response.allHeaderFields.isEmpty)
    }
}
