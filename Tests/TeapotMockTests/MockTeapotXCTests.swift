import Foundation
import Teapot
import TeapotMock
import XCTest

/// The mock in an `XCTestCase`, by means that any user of it has.
final class MockTeapotXCTests: XCTestCase {
    /// The build directory has a file of that name, too: it is SwiftPM's.
    func testFileNamedLikeOneOfTheBuildDirectory() {
        let mock = MockTeapot(bundle: Bundle(for: Self.self), mockFilename: "description")
        nonisolated(unsafe) var description: String?
        mock.get("description") { result in
            guard case .success(let json, _) = result else { return XCTFail("\(result)") }
            description = json?.dictionary?["description"] as? String
        }
        XCTAssertEqual(description, "a pot")
    }

    func testMainQueueIsCurrentOnTheMainThread() {
        let mock = MockTeapot(bundle: Bundle(for: Self.self), mockFilename: "get")
        nonisolated(unsafe) var completions = 0
        mock.get("get", deliveryQueue: .main) { (_: NetworkResult) in completions += 1 }
        XCTAssertEqual(completions, 1)
        // The main thread runs another queue's block, too.
        DispatchQueue(label: "other")
            .sync { _ = mock.get("get", deliveryQueue: .main) { (_: NetworkResult) in completions += 1 } }
        XCTAssertEqual(completions, 2)
        mock.get("//get", deliveryQueue: .main) { (_: NetworkResult) in completions += 1 }
        XCTAssertEqual(completions, 3)
        let drained = expectation(description: "what is on the main queue has run")
        DispatchQueue.main.async { drained.fulfill() }
        wait(for: [drained], timeout: 30)
        XCTAssertEqual(completions, 3)
    }

    func testMainQueueIsAwaitedOnAnotherThread() {
        let mock = MockTeapot(bundle: Bundle(for: Self.self), mockFilename: "get")
        let returned = expectation(description: "the verb has returned")
        nonisolated(unsafe) var completions = 0
        Thread.detachNewThread {
            mock.get("get", deliveryQueue: .main) { (_: NetworkResult) in
                XCTAssertTrue(Thread.isMainThread)
                completions += 1
            }
            XCTAssertEqual(completions, 1)
            returned.fulfill()
        }
        wait(for: [returned], timeout: 30)
        XCTAssertEqual(completions, 1)
    }
}
