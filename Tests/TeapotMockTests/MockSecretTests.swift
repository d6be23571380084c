import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// No text of a mock contains a secret, whatever it fails with.
@Suite(.inTurn)
struct MockSecretTests {
    private static let fields = [
        "Authorization": "Bearer s3cret-1", "Cookie": "sid=s3cret-2", "X-Api-Key": "s3cret-3", "X-Tenant": "s3cret-4",
        "X-Link": "//u:s3cret-6@h/?token=s3cret-7",
    ]

    @Test(arguments: [nil, "mock-missing", "mock-error"], [MockTeapot.StatusCode.ok, .unauthorized])
    func `hold no secret`(filename: String?, status: MockTeapot.StatusCode) async throws {
        let texts = Locked<[String]>([])
        @Sendable func note(_ values: Any?...) {
            for case let value? in values { texts.withLock { $0 += ["\(value)", String(reflecting: value)] } }
        }
        let mock = MockTeapot(bundle: .module, mockFilename: filename, statusCode: status)
        mock.baseURL = try #require(URL(string: "https://s3cret-8:s3cret-9@h/v1?api_key=s3cret-10"))
        mock.secretPolicy = .standard.adding(["X-Tenant"])
        mock.logger = Logger(level: .incomingAndOutgoingData) { entry in texts.withLock { $0.append(entry) } }
        for expected in [[:], Self.fields.mapValues { $0 + "s3cret-11" }, ["X-Missing-Token": "s3cret-12"]] {
            mock.setExpectedHeaders(expected)
            for path in ["a?token=s3cret-13", "//u:s3cret-14@h/"] {
                mock.post(path, parameters: ["password": "s3cret-15"], headerFields: Self.fields) { note($0) }
                let error = await thrown { () throws(TeapotError) in
                    try await mock.get(Teapot.Path(path), as: [Int].self, headerFields: Self.fields)
                }
                note(error, error?.description, error?.failureReason, error?.underlyingError)
                #expect(error != nil)
            }
        }
        let leaks = texts.withLock { $0 }.flatMap { $0.split(separator: "\n") }.filter { $0.contains("s3cret") }
        #expect(leaks.isEmpty)
        #expect(texts.withLock { $0.count } > 20)
    }
}
