import Teapot
import TeapotMock
import TestTraits
import Testing

/// The sample of problem details does what the page says of it.
@Suite(.inTurn)
struct SamplesRunProblemsTests {
    @Test func `title and detail are shown and used as the reason`() async throws {
        let mock = MockTeapot(strictIn: .module)
        let body = Data(#"{"title": "Out of tea", "detail": "There are 0 of 2 cups left."}"#.utf8)
        let answer = MockResponse.data(body, contentType: "application/problem+json", status: .forbidden)
        try mock.overrideEndPoint("cups", with: answer)
        let error = try await #require(throws: TeapotError.self) { try await mock.get("cups") }
        var shown: [String] = []
        ProblemSamples.show(error) { shown.append($0) }
        #expect(shown == ["Out of tea: There are 0 of 2 cups left."])
        #expect(error.failureReason == shown.first)
    }

    @Test func `a status that is accepted`() async throws {
        let mock = MockTeapot(strictIn: .module)
        try mock.overrideEndPoint("users/1", withSequence: [.status(.notModified), .json(["name": "Bob"])])
        for name in ["Ann", "Bob"] {
            let user = try await ProblemSamples.user(mock, etag: "\"1\"", cached: ProblemSamples.User(name: "Ann"))
            #expect(user.name == name)
        }
    }
}
