import Foundation
@testable import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct TeapotErrorKindsTests {
    private let response: HTTPURLResponse
    private let body = Data(#"{"why":"teapot"}"#.utf8)

    init() throws {
        let url = try #require(URL(string: "http://h"))
        response = try #require(HTTPURLResponse(url: url, statusCode: 418, httpVersion: nil, headerFields: nil))
    }

    private struct Cause: LocalizedError {
        var errorDescription: String? { "the line was cut" }
    }

    /// The text in whatever language the tests run in.
    private func text(_ key: String, _ arguments: [String] = []) -> String {
        LocalizedStrings.text(key, arguments)
    }

    @Test func `names a file without a path`() throws {
        let url = try #require(URL(string: "http://h"))
        #expect(TeapotError.fileError(url, "why").failureReason == #""http://h": why"#)
    }

    @Test func `before sending`() {
        let path = TeapotError.invalidRequestPath(reason: "why")
        #expect(path.type == .invalidRequestPath)
        #expect(path.description == text("Teapot:InvalidRequestPath"))
        let payload = TeapotError.invalidPayload(reason: "why")
        #expect(payload.type == .invalidPayload)
        #expect(payload.description == text("Teapot:InvalidPayload"))
        let field = TeapotError.invalidHeaderField(reason: "why")
        #expect(field.type == .invalidHeaderField)
        #expect(field.description == text("Teapot:InvalidHeaderField", ["why"]))
        for error in [path, payload, field] {
            #expect(error.failureReason == "why")
            #expect(error.responseStatus == nil)
            #expect(error.response == nil)
            #expect(error.data == nil)
        }
    }

    @Test func `without a response`() {
        let none = TeapotError.noResponse(URLError(.timedOut))
        #expect(none.type == .noResponse)
        #expect(none.description == text("Teapot:NoResponse"))
        #expect((none.underlyingError as? URLError)?.code == .timedOut)
        #expect(none.responseStatus == nil)
        let cancelled = TeapotError.cancelled()
        #expect(cancelled.type == .cancelled)
        #expect(cancelled.description == text("Teapot:Cancelled"))
        #expect((cancelled.underlyingError as? URLError)?.code == .cancelled)
    }

    @Test(arguments: [
        URLError.Code.serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
        .serverCertificateHasUnknownRoot,
    ])
    func `say that a certificate was refused`(code: URLError.Code) {
        let error = TeapotError.noResponse(URLError(code))
        #expect(error.type == .noResponse)
        #expect(error.description == text("Teapot:CertificateRefused"))
        #expect((error.underlyingError as? URLError)?.code == code)
    }

    @Test func `with a response`() {
        let status = TeapotError.invalidResponseStatus(response, data: body)
        #expect(status.type == .invalidResponseStatus)
        #expect(status.description == text("Teapot:InvalidResponseStatus", ["418"]))
        #expect(status.failureReason == nil)
        let cut = TeapotError.dataTaskError(Cause(), reason: "it broke", response: response, data: body)
        #expect(cut.type == .dataTaskError)
        #expect(cut.description == text("Teapot:DataTaskError", ["it broke"]))
        #expect(cut.underlyingError is Cause)
        let large = TeapotError.responseTooLarge(limit: 1_024, response: response, data: body)
        #expect(large.type == .responseTooLarge)
        #expect(large.description == text("Teapot:ResponseTooLarge", ["1024"]))
        #expect((large.underlyingError as? URLError)?.code == .dataLengthExceedsMaximum)
        let image = TeapotError.missingImage(response: response, data: body)
        #expect(image.type == .missingImage)
        #expect(image.description == text("Teapot:MissingImage"))
        for error in [status, cut, large, image] {
            #expect(error.responseStatus == 418)
            #expect(error.response === response)
            #expect(error.data == body)
            #expect(error.json?.dictionary?["why"] as? String == "teapot")
        }
    }

    @Test func `of a redirect say why it was not followed`() {
        let error = TeapotError.invalidResponseStatus(response, data: body, reason: FailureReason("why"))
        #expect(error.failureReason == "why")
    }

    @Test func `of decoding keep the bytes`() {
        let error = TeapotError.decodingFailed(reason: "why", data: body)
        #expect(error.type == .decodingFailed)
        #expect(error.description == text("Teapot:DecodingFailed", ["why"]))
        #expect(error.failureReason == "why")
        #expect(error.data == body)
    }

    static let englishTexts = [
        ("Teapot:InvalidRequestPath", "An error occurred: request URL path is invalid."),
        ("Teapot:MissingImage", "An error occurred: image is missing."),
        (
            "Teapot:InvalidResponseStatus",
            "An error occurred: request response status reported an issue. Status code: 404."
        ),
        ("Teapot:InvalidPayload", "An error occurred: the payload cannot be sent as JSON."),
        ("Teapot:DataTaskError", "An error occurred: data task error occurred: 404."),
        ("Teapot:NoResponse", "No response received from server."),
        ("Teapot:CertificateRefused", "No response received: the server's certificate was refused."),
        ("Teapot:InvalidHeaderField", "An error occurred: a header field cannot be sent: 404."),
        ("Teapot:DecodingFailed", "An error occurred: the data cannot be decoded: 404."),
        ("Teapot:Cancelled", "The request was cancelled."),
        ("Teapot:ResponseTooLarge", "An error occurred: the response is larger than the limit of 404 bytes."),
        ("MockTeapot:MissingMockFile", "An error occurred: expected mockfile with name: 404.json"),
        ("MockTeapot:InvalidMockFile", "An error occurred: invalid mockfile with name: 404.json"),
        (
            "MockTeapot:IncorrectHeaders",
            "An error occurred: Received headers:\n\n404\n\nExpected headers:\n\nsecond\n\n"
        ),
    ]

    @Test(arguments: brief(englishTexts))
    func `have their English text`(_ argument: Brief<(String, String)>) {
        let (key, text) = argument.value
        let english = LocalizedStrings(bundle: nil, ownBundle: ResourceBundle.own, languages: ["en"])
        #expect(english.text(key, ["404", "second"]) == text)
    }
}
