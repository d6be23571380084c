import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Mocks in tests that run at the same time, with endpoints that overlap.
@Suite(.inTurn)
struct ParallelTests {
    @Test(arguments: 0..<200)
    func `a mock belongs to one test`(number: Int) async throws {
        let clock = TestClock()
        let mock = MockTeapot(strictIn: .module, clock: clock)
        mock.setExpectedHeaders(["X-Test": "\(number)"])
        try mock.overrideEndPoint("users/:id", method: .get) { request in
            try .encoding(["test": "\(number)", "id": request.pathParameters["id"] ?? ""])
        }
        try mock.overrideEndPoint(
            "users/\(number % 3)",
            method: .get,
            withSequence: [.encoding(["test": "\(number)", "id": "own"]), .status(503)],
            afterLast: .fails
        )
        try mock.overrideEndPoint("slow", with: .encoding(["test": "\(number)"]).delayed(by: .seconds(number + 1)))
        async let slow = mock.get("slow", as: [String: String].self, timeoutInterval: .infinity)
        let answers = try await withThrowingTaskGroup { group in
            for id in 0..<20 {
                group.addTask {
                    try await mock.get(
                        "users/\(id % 10 + 3)",
                        as: [String: String].self,
                        headerFields: ["X-Test": "\(number)"]
                    )
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0["test"] == "\(number)" })
        #expect(Set(answers.compactMap { $0["id"] }) == Set((3..<13).map(String.init)))
        #expect(try await mock.get("users/\(number % 3)", as: [String: String].self)["id"] == "own")
        await eventually { !mock.requests(to: "slow").isEmpty }
        #expect(mock.findings.count == 1)
        let error = await thrown { () throws(TeapotError) in try await mock.get("users/\(number % 3)") }
        #expect(error?.responseStatus == 503)
        await clock.advanceToNext()
        #expect(clock.now.offset == .seconds(number + 1))
        #expect(try await slow == ["test": "\(number)"])
        try mock.verify()
        #expect(mock.requests.count == 23)
        #expect(
            mock.requests(to: "users/:id").allSatisfy { $0.headerFields["X-Test"].map { $0 == "\(number)" } ?? true }
        )
    }
}
