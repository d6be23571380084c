import Foundation
@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct TeapotErrorTests {
    private let error = TeapotError(
        type: .noResponse,
        description: "No response.",
        responseStatus: 400,
        underlyingError: URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "too slow"])
    )

    @Test func `describes itself`() {
        #expect(error.errorDescription == error.description)
        #expect(error.localizedDescription == error.description)
        #expect("\(error)" == error.debugDescription)
        #expect(String(describing: error) == "noResponse: No response. (too slow)")
        #expect((error as any Error).localizedDescription == error.description)
    }

    @Test func `has its cause as reason`() {
        #expect(error.failureReason == "too slow")
        #expect(String(reflecting: error).hasSuffix("(too slow)"))
        #expect(TeapotError(type: .cancelled, description: "x").failureReason == nil)
        #expect(FailureReason("why").localizedDescription == "why")
        #expect("\(FailureReason("why"))" == "why")
    }

    @Test func `has the code of its cause, and the fields of its response`() throws {
        #expect(error.code == .timedOut)
        #expect(error.headerFields == nil)
        #expect(
            TeapotError(type: .noResponse, description: "x", underlyingError: CocoaError(.fileNoSuchFile)).code == nil
        )
        #expect(TeapotError(.noResponse, "NoResponse", cause: URLError(.cancelled)).code == .cancelled)
        let url = try #require(URL(string: "http://notes.test"))
        let head = ResponseHead(url: url, status: 404, lines: FieldLines(["X-Tea": "green"]))
        #expect(TeapotError.invalidResponseStatus(head, data: Data()).headerFields?["x-tea"] == "green")
    }

    @Test func `equals by type, description and status`() {
        let same = TeapotError(type: .noResponse, description: "No response.", responseStatus: 400)
        #expect(error == same)
        #expect(error != TeapotError(type: .cancelled, description: "No response.", responseStatus: 400))
        #expect(error != TeapotError(type: .noResponse, description: "Other.", responseStatus: 400))
        #expect(error != TeapotError(type: .noResponse, description: "No response.", responseStatus: nil))
    }

    private static let body = Data(#"{"why":"teapot"}"#.utf8)
    private static let response = ResponseHead.foundation(.standIn(for: URL(filePath: "/")))

    /// Errors with a response and a body, and the key and the argument of their text.
    static let withResponse: [(error: TeapotError, key: String, argument: String)] = [
        (
            .invalidResponseStatus(response, data: body), "InvalidResponseStatus",
            "400"
        ),
        (
            .dataTaskError(URLError(.unknown), reason: "it broke", response: response, data: body), "DataTaskError",
            "it broke"
        ),
        (.responseTooLarge(limit: 1_024, response: response, data: body), "ResponseTooLarge", "1024"),
        (.missingImage(response: response, data: body), "MissingImage", ""),
    ]

    @Test(arguments: brief(withResponse.indices) { withResponse[$0].key })
    func `a text of an error with a response`(row: Brief<Int>) {
        let (error, key, argument) = Self.withResponse[row.value]
        #expect(error.description == LocalizedStrings.text("Teapot:\(key)", [argument]))
        #expect(error.responseStatus == 400)
        #expect(error.response === Self.response.http)
        #expect(error.json?.dictionary?["why"] as? String == "teapot")
    }

    /// Errors without a response, and the key of their text.
    static let withoutResponse: [(error: TeapotError, key: String)] = [
        (.invalidRequestPath(reason: "why"), "InvalidRequestPath"), (.invalidPayload(reason: "why"), "RequestNotSent"),
        (.invalidHeaderField(reason: "why"), "InvalidHeaderField"), (.noResponse(FailureReason("why")), "NoResponse"),
        (.decodingFailed(FailureReason("why"), data: body), "DecodingFailed"),
    ]

    @Test(arguments: brief(withoutResponse.indices) { withoutResponse[$0].key })
    func `a text of an error without a response`(row: Brief<Int>) {
        let (error, key) = Self.withoutResponse[row.value]
        #expect(error.description == LocalizedStrings.text("Teapot:\(key)", ["why"]))
        #expect(error.failureReason == "why")
        #expect(error.responseStatus == nil)
    }
}
