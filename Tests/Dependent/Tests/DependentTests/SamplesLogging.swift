import Logging
import Teapot
import TeapotMock
import Testing

/// The sample of "Logging", with a module in the shape of swift-log.
struct SamplesLogging {
    private func bridge(_ teapot: Teapot) {
        let log = Logging.Logger(label: "api")
        teapot.logger = .entries(level: .incomingAndOutgoingData) { entry in
            var metadata: Logging.Logger.Metadata = [:]
            metadata["request"] = entry.requestID.map { "\($0)" }
            metadata["url"] = entry.url.map { "\($0)" }
            metadata["status"] = entry.status.map { "\($0)" }
            metadata["duration"] = entry.duration.map { "\($0)" }
            log.log(level: entry.level == .error ? .error : .debug, "\(entry.message)", metadata: metadata)
        }
    }

    @Test func `entries have fields in another log`() async throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "get")
        bridge(mock)
        try await mock.get("get?token=hush")
        let entries = Logging.Logger.written.all
        #expect(entries.map(\.level) == [.debug, .debug])
        #expect(entries.map { $0.metadata["status"] } == [nil, "200"])
        #expect(entries.allSatisfy { $0.metadata["url"] == "https://mock.base.url.com/get?token=<redacted>" })
        #expect(entries.allSatisfy { $0.metadata["request"] != nil && $0.message.description.contains("GET") })
    }
}
