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

    @Test func `is a success without an error`() throws {
        guard case .success(let json, let response) = NetworkResult(JSON(["a": 1]), response, nil) else {
            Issue.record("not a success")
            return
        }
        #expect(json?.dictionary?["a"] as? Int == 1)
        #expect(response === self.response)
        #expect(CallResult(NetworkResult(nil, response, nil)).isSuccess)
        #expect(CallResult(NetworkResult(nil, response)).isSuccess)
    }

    @Test func `describes itself without secrets`() throws {
        let url = try #require(URL(string: "http://h/x?token=hush"))
        let fields = ["Set-Cookie": "hush"]
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields)
        )
        let success = NetworkResult(JSON(["token": "hush"]), response, nil)
        #expect("\(success)" == "success: 200 http://h/x?token=<redacted>")
        #expect(
            "\(NetworkResult(nil, response, error))" == "failure: 200 http://h/x?token=<redacted>, noResponse: none"
        )
        let image = NetworkImageResult(nil, response, error)
        #expect("\(image)" == "failure: 200 http://h/x?token=<redacted>, noResponse: none")
        let whole = Teapot.Response(data: Data("hush".utf8), http: response)
        #expect(String(reflecting: whole) == "200 http://h/x?token=<redacted>, 4 bytes")
        let request = Teapot.Request(.put, path: "x?token=hush", headerFields: ["Authorization": "hush"])
        #expect("\(request)" == "PUT x?token=<redacted>")
    }

    @Test func `is a failure with an error`() {
        guard case .failure(let json, let response, let error) = NetworkResult(JSON(["a": 1]), response, error) else {
            Issue.record("not a failure")
            return
        }
        #expect(json?.dictionary?["a"] as? Int == 1)
        #expect(response === self.response)
        #expect(error == self.error)
    }

    @Test func `comes from a response`() {
        let outcome = Call.Outcome.success(Teapot.Response(data: Data(#"[{"a":1}]"#.utf8), http: response))
        let result = CallResult(NetworkResult(outcome, requestURL: url))
        #expect(result.isSuccess)
        #expect(result.json?.array?.count == 1)
        #expect(result.response === response)
    }

    @Test func `comes from an error with a response`() {
        let error = TeapotError.invalidResponseStatus(response, data: Data(#"{"a":"why"}"#.utf8))
        let result = CallResult(NetworkResult(.failure(error), requestURL: url))
        #expect(result.error == error)
        #expect(result.text("a") == "why")
        #expect(result.response === response)
    }

    @Test func `has a stand-in where no response came`() {
        let result = CallResult(NetworkResult(.failure(error), requestURL: url))
        #expect(result.error == error)
        #expect(result.json == nil)
        #expect(result.response.status == 400)
        #expect(result.response.url == url)
    }
}
