import Logging
import Teapot
import TeapotMock
import Testing

import enum Teapot.JSON
import class Teapot.Logger
import protocol Teapot.Transport

/// A file that imports another module with types of the same names, and says that it means Teapot's.
struct SharedNamesTests {
    private struct Forwarding: Transport {
        let other: any Transport

        func start(
            _ request: TransportRequest,
            receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> (any TransportTask)? {
            other.start(request, receive: receive)
        }
    }

    private struct Other: Logging.Transport {}

    @Test func `both loggers can be named`() async throws {
        let log = Logging.Logger(label: "api")
        let mock = MockTeapot(bundle: .module, mockFilename: "get")
        mock.logger = Logger(level: .error) { print(log.label, $0) }
        let json: JSON? = try await mock.get("get").json
        #expect(json?.dictionary != nil)
        let url = try #require(URL(string: "https://api.example"))
        let transport: any Transport = URLSessionTransport()
        let teapot = Teapot(baseURL: url, transport: Forwarding(other: transport))
        #expect(teapot.logger.currentLevel == .none)
        _ = (Other(), Logging.JSON.null)
    }
}
