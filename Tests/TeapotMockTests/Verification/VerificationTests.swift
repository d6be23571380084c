import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// How a mock says that it was not used as it was declared.
@Suite(.inTurn)
struct VerificationTests {
    private let mock = MockTeapot(strictIn: .module)

    private func declare(_ endpoint: String, _ responses: [MockResponse], line: Int) throws {
        try mock.overrideEndPoint(
            endpoint,
            method: .get,
            withSequence: responses,
            afterLast: .fails,
            fileID: "Tests/Tea.swift",
            line: line,
            column: 9
        )
    }

    @Test func `used overrides pass`() async throws {
        try mock.verify()
        try declare("tea", [.status(200), .status(201)], line: 1)
        try mock.overrideEndPoint("milk", with: .status(200))
        for path in ["tea", "tea", "milk", "milk", "milk"] { try await mock.get(Teapot.Path(path)) }
        try mock.verify()
        #expect(mock.findings.isEmpty)
    }

    @Test func `too seldom, too often and not at all`() async throws {
        try declare("tea", [.status(200), .status(200)], line: 1)
        try declare("milk", [.status(200)], line: 2)
        try declare("sugar", [.status(200), .status(200)], line: 3)
        for path in ["tea", "milk", "milk", "coffee?token=s3cret", "coffee"] {
            _ = try? await mock.get(Teapot.Path(path))
        }
        let error = #expect(throws: MockTeapotError.self) { try mock.verify() }
        #expect(
            error?.description == """
                MockTeapot was not used as it was declared:
                    GET tea (Tests/Tea.swift:1:9) has 2 responses, and got 1 request
                    GET milk (Tests/Tea.swift:2:9) has 1 response, and got 2 requests
                    GET sugar (Tests/Tea.swift:3:9) was never used
                    GET https://mock.base.url.com/coffee?token=<redacted> had no answer
                    GET https://mock.base.url.com/coffee had no answer
                """
        )
        #expect(error == .verificationFailed(mock.findings))
        guard case .usedTooSeldom(_, 1, 2) = mock.findings[0], case .usedTooOften(_, 2, 1) = mock.findings[1] else {
            Issue.record("\(mock.findings)")
            return
        }
    }

    @Test func `a lenient mock ignores other requests`() async throws {
        let mock = MockTeapot(bundle: .module)
        try await mock.get("anything")
        try mock.verify()
        mock.overrideEndPoint("timestamp", withFilename: "mock-timestamp")
        #expect(mock.findings.count == 1)
        try await mock.get("v1/timestamp")
        try mock.verify()
    }

    @Test func `strictness can be turned on and off`() async throws {
        mock.isStrict = false
        try await mock.get("anything")
        mock.isStrict = true
        let error = await thrown { () throws(TeapotError) in try await mock.get("anything") }
        #expect(error?.type == .unexpectedRequest)
        #expect(mock.isStrict)
    }
}
