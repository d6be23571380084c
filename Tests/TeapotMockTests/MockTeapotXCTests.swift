import Foundation
import Teapot
import TeapotMock
import XCTest

/// The mock in an `XCTestCase`, by means that any user of it has.
final class MockTeapotXCTests: XCTestCase {
    // MARK: - Without expectations

    func testGetCompletesBeforeItReturns() {
        let mock = MockTeapot(bundle: Bundle(for: Self.self), mockFilename: "get")
        nonisolated(unsafe) var completions = 0
        mock.get("get") { result in
            completions += 1
            switch result {
            case .success(let json, let response):
                XCTAssertEqual(json?.dictionary?["key"] as? String, "value")
                XCTAssertEqual(response.status, 200)
                XCTAssertEqual(response.url?.absoluteString, "https://mock.base.url.com/get")
            case .failure(_, _, let error):
                XCTFail("\(error): \(error.failureReason ?? "")")
            }
        }
        XCTAssertEqual(completions, 1)
    }

    func testPostFailsBeforeItReturns() {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-error", statusCode: .unauthorized)
        nonisolated(unsafe) var received: TeapotError?
        mock.post("sessions", parameters: ["user": "admin"]) { result in
            guard case .failure(let json, let response, let error) = result else { return XCTFail("\(result)") }
            XCTAssertEqual(json?.dictionary?["message"] as? String, "and stout")
            XCTAssertEqual(response.status, 401)
            received = error
        }
        XCTAssertEqual(received?.type, .invalidResponseStatus)
        XCTAssertEqual(received?.responseStatus, 401)
    }

    func testImageIsThereBeforeTheVerbReturns() {
        let mock = MockTeapot(bundle: Bundle(for: Self.self), mockFilename: "mock-image.png")
        nonisolated(unsafe) var completions = 0
        mock.downloadImage(path: "avatar") { result in
            completions += 1
            guard case .success = result else { return XCTFail("\(result)") }
        }
        XCTAssertEqual(completions, 1)
    }

    func testOverriddenEndPointAndExpectedHeaders() {
        let mock = MockTeapot(bundle: Bundle(for: Self.self), statusCode: .internalServerError)
        mock.overrideEndPoint("timestamp", withFilename: "mock-timestamp")
        mock.setExpectedHeaders(["X-Client": "tea"])
        nonisolated(unsafe) var statuses: [Int] = []
        mock.get("timestamp") { result in
            guard case .success(let json, let response) = result else { return XCTFail("\(result)") }
            XCTAssertEqual(json?.dictionary?["timestamp"] as? Int, 1_700_000_000)
            statuses.append(response.status)
        }
        mock.get("other") { result in
            guard case .failure(_, let response, let error) = result else { return XCTFail("\(result)") }
            XCTAssertEqual(error.type, .incorrectHeaders)
            statuses.append(response.status)
        }
        XCTAssertEqual(statuses, [200, 400])
    }

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

    // MARK: - With expectations

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

    func testQueueIsAwaited() {
        let mock = MockTeapot(bundle: Bundle(for: Self.self), mockFilename: "mock-missing")
        let queue = DispatchQueue(label: "delivery")
        nonisolated(unsafe) var received: TeapotError?
        mock.get("get", deliveryQueue: queue) { result in
            dispatchPrecondition(condition: .onQueue(queue))
            guard case .failure(_, _, let error) = result else { return XCTFail("\(result)") }
            received = error
        }
        XCTAssertEqual(received?.type, .missingMockFile)
    }

    func testExpectationOnTheMainQueue() {
        let mock = MockTeapot(bundle: Bundle(for: Self.self), mockFilename: "get")
        let delivered = expectation(description: "delivered on the main queue")
        nonisolated(unsafe) var completions = 0
        mock.get("get", deliveryQueue: .main) { result in
            XCTAssertTrue(Thread.isMainThread)
            guard case .success(let json, _) = result else { return XCTFail("\(result)") }
            XCTAssertEqual(json?.dictionary?["key"] as? String, "value")
            completions += 1
            delivered.fulfill()
        }
        wait(for: [delivered], timeout: 30)
        XCTAssertEqual(completions, 1)
    }

    func testExpectationOnAnotherQueue() {
        let mock = MockTeapot(bundle: Bundle(for: Self.self), mockFilename: "mock-missing")
        let queue = DispatchQueue(label: "delivery")
        let delivered = expectation(description: "delivered on another queue")
        mock.get("get", deliveryQueue: queue) { result in
            dispatchPrecondition(condition: .onQueue(queue))
            guard case .failure(_, _, let error) = result else { return XCTFail("\(result)") }
            XCTAssertEqual(error.type, .missingMockFile)
            delivered.fulfill()
        }
        wait(for: [delivered], timeout: 30)
    }

    func testExpectationThatIsFulfilledAtOnce() {
        let mock = MockTeapot(bundle: Bundle(for: Self.self), mockFilename: "get")
        let delivered = expectation(description: "delivered")
        mock.get("get") { result in
            guard case .success = result else { return XCTFail("\(result)") }
            delivered.fulfill()
        }
        wait(for: [delivered], timeout: 0)
    }
}
