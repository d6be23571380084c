import TeapotMock
import XCTest

/// The table for custom transports in an `XCTestCase`.
final class TransportBehaviorXCTests: XCTestCase {
    func testTransport() async throws {
        let server = try Backend.loopback.baseURL()
        for violation in await TransportBehavior.violations(against: server, { QueuedTransport() }) {
            XCTFail(violation.description)
        }
    }
}
