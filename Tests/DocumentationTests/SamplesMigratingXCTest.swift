import Teapot
import TeapotMock
import XCTest

final class AccountClientTests: XCTestCase {
    func testName() throws {
        let client = AccountClient(baseURL: try XCTUnwrap(URL(string: "https://api.example.com")))
        client.teapot = MockTeapot(bundle: Bundle(for: AccountClientTests.self), mockFilename: "account")
        let called = expectation(description: "called")
        client.name { name, error in
            XCTAssertEqual(name, "Ada")
            called.fulfill()
        }
        wait(for: [called], timeout: 5)
    }
}
