import Teapot
import TeapotMock
import XCTest

/// Lines that users write, in XCTest.
final class XCTestUseTests: XCTestCase {
    private func mock(_ filename: String? = "get") -> MockTeapot {
        MockTeapot(bundle: Bundle(for: XCTestUseTests.self), mockFilename: filename)
    }

    func testSynchronously() {
        // Fulfilled before the verb returns: nothing is waited for.
        let called = XCTestExpectation()
        mock().get("path") { result in
            switch result {
            case .success(let json, let response):
                XCTAssertEqual(json?.dictionary?["title"] as? String, "Buy tea")
                XCTAssertEqual(response.status, 200)
            case .failure(_, _, let error):
                XCTFail(error.description)
            }
            called.fulfill()
        }
        wait(for: [called], timeout: 0)
    }

    func testWithAnExpectation() {
        let called = expectation(description: "the completion is called")
        let params: [String: Any] = ["title": "Buy tea"]
        mock().post("something", parameters: params, allowsCellular: false, deliveryQueue: .main) { result in
            guard case .success(let json, _) = result else { return XCTFail("\(result)") }
            switch json {
            case .dictionary(let dict): XCTAssertEqual(dict.count, 2)
            case .array(let ary): XCTFail("\(ary)")
            case nil: XCTFail("no JSON")
            }
            called.fulfill()
        }
        wait(for: [called], timeout: 5)
    }
}
