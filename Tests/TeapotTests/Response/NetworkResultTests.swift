internal import Foundation
internal import Teapot
internal import TestSupport
internal import Testing

@Suite("A network result")
struct NetworkResultTests {
    private let url: URL
    private let response: HTTPURLResponse
    private let error = TeapotError(type: .noResponse, description: "none")

    init() throws {
        url = try #require(URL(string: "http://h/x"))
        response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
    }

    @Test func isASuccessWithoutAnError() throws {
        guard case .success(let json, let response) = NetworkResult(JSON(["a": 1]), response, nil) else {
            Issue.record("not a success")
            return
        }
        #expect(json?.dictionary?["a"] as? Int == 1)
        #expect(response === self.response)
        #expect(CallResult(NetworkResult(nil, response, nil)).isSuccess)
    }

    @Test func isAFailureWithAnError() {
        guard case .failure(let json, let response, let error) = NetworkResult(JSON(["a": 1]), response, error) else {
            Issue.record("not a failure")
            return
        }
        #expect(json?.dictionary?["a"] as? Int == 1)
        #expect(response === self.response)
        #expect(error == self.error)
    }

    @Test func comesFromAResponse() {
        let outcome = Exchange.Outcome.success(Teapot.Response(data: Data(#"[{"a":1}]"#.utf8), http: response))
        let result = CallResult(NetworkResult(outcome, requestURL: url))
        #expect(result.isSuccess)
        #expect(result.json?.array?.count == 1)
        #expect(result.response === response)
    }

    @Test func comesFromAnErrorWithAResponse() {
        let error = TeapotError.invalidResponseStatus(response, data: Data(#"{"a":"why"}"#.utf8))
        let result = CallResult(NetworkResult(.failure(error), requestURL: url))
        #expect(result.error == error)
        #expect(result.text("a") == "why")
        #expect(result.response === response)
    }

    @Test func hasAStandInWhereNoResponseCame() {
        let result = CallResult(NetworkResult(.failure(error), requestURL: url))
        #expect(result.error == error)
        #expect(result.json == nil)
        #expect(result.response.status == 400)
        #expect(result.response.url == url)
    }
}
