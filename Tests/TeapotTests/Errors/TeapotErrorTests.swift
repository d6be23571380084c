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
}
