import Foundation
import Teapot
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

    @Test func `has its parts`() {
        #expect(error.type == .noResponse)
        #expect(error.description == "No response.")
        #expect(error.responseStatus == 400)
        #expect((error.underlyingError as? URLError)?.code == .timedOut)
        #expect(error.response == nil)
        #expect(error.data == nil)
        #expect(error.json == nil)
    }

    @available(*, deprecated, message: "It tests what is deprecated.")
    @Test func `is made under the name of the original`() {
        let cause = URLError(.timedOut)
        let made = TeapotError(
            withType: .noResponse,
            description: "No response.",
            responseStatus: 400,
            underlyingError: cause
        )
        #expect(made == error)
        #expect((made.underlyingError as? URLError)?.code == .timedOut)
    }

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

    @Test func `equals by type, description and status`() {
        let same = TeapotError(type: .noResponse, description: "No response.", responseStatus: 400)
        #expect(error == same)
        #expect(error != TeapotError(type: .cancelled, description: "No response.", responseStatus: 400))
        #expect(error != TeapotError(type: .noResponse, description: "Other.", responseStatus: 400))
        #expect(error != TeapotError(type: .noResponse, description: "No response.", responseStatus: nil))
    }

    /// A `switch` without `default`: a new kind of error breaks it.
    @Test(arguments: [
        (TeapotError.ErrorType.dataTaskError, true), (.invalidPayload, false), (.invalidRequestPath, false),
        (.invalidResponseStatus, true), (.missingImage, true), (.missingMockFile, false), (.invalidMockFile, false),
        (.incorrectHeaders, false), (.noResponse, false), (.invalidHeaderField, false), (.decodingFailed, true),
        (.cancelled, false), (.responseTooLarge, true), (.fileError, false),
        (.preparationFailed, false), (.unexpectedRequest, false),
    ])
    func `is switched over`(type: TeapotError.ErrorType, isAfterResponse: Bool) {
        let found =
            switch TeapotError(type: type, description: "").type {
            case .dataTaskError, .invalidResponseStatus, .missingImage, .decodingFailed, .responseTooLarge: true
            case .invalidPayload, .invalidRequestPath, .invalidHeaderField, .noResponse, .cancelled, .fileError: false
            case .missingMockFile, .invalidMockFile, .incorrectHeaders, .preparationFailed: false
            case .unexpectedRequest: false
            }
        #expect(found == isAfterResponse)
    }
}
