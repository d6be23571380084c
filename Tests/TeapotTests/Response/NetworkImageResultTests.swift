import Foundation
@testable import Teapot
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct NetworkImageResultTests {
    private let url: URL
    private let response: HTTPURLResponse
    private let png: Data
    private let error = TeapotError(type: .noResponse, description: "none")

    init() throws {
        url = try #require(URL(string: "http://h/x"))
        response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        png = try ImageFixture(filename: "rgb.png", format: .png).data()
    }

    @Test func `is a success with an image`() throws {
        let image = try #require(TeapotImage(data: png))
        let result = CallResult(NetworkImageResult(image, response, nil))
        #expect(result.isSuccess)
        #expect(result.image != nil)
        #expect(result.response === response)
    }

    @Test func `is a failure with an error`() throws {
        let image = try #require(TeapotImage(data: png))
        for image in [image, nil] {
            let result = CallResult(NetworkImageResult(image, response, error))
            #expect(result.error == error)
            #expect(result.image == nil)
            #expect(result.response === response)
        }
    }

    @Test func `fails without an image`() {
        let result = CallResult(NetworkImageResult(nil, response, nil))
        #expect(result.error?.type == .missingImage)
        #expect(result.error?.responseStatus == 200)
        #expect(result.response === response)
    }

    @Test func `comes from a response`() {
        let outcome = Call.Outcome.success(Teapot.Response(data: png, http: response))
        let result = CallResult(NetworkImageResult(outcome, requestURL: url))
        #expect(result.isSuccess)
        #expect(result.image != nil)
    }

    @Test(arguments: ["", "{}", "GIF8", "<html>"])
    func `fails if the data is not an image`(text: String) {
        let outcome = Call.Outcome.success(Teapot.Response(data: Data(text.utf8), http: response))
        let result = CallResult(NetworkImageResult(outcome, requestURL: url))
        #expect(result.error?.type == .missingImage)
        #expect(result.error?.data == Data(text.utf8))
        #expect(result.response === response)
    }

    @Test func `comes from an error`() {
        let status = TeapotError.invalidResponseStatus(response, data: png)
        #expect(CallResult(NetworkImageResult(.failure(status), requestURL: url)).response === response)
        let result = CallResult(NetworkImageResult(.failure(error), requestURL: url))
        #expect(result.error == error)
        #expect(result.response.status == 400)
        #expect(result.response.url == url)
    }
}
