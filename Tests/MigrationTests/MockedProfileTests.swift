import Teapot
import TeapotMock
import XCTest

/// The tests of an iOS app of 2018, on the mock: closures, captured variables, expectations.
class MockedProfileTests: XCTestCase {
    func mock(_ filename: String?, _ statusCode: MockTeapot.StatusCode = .ok) -> MockTeapot {
        return MockTeapot(bundle: Bundle(for: type(of: self)), mockFilename: filename, statusCode: statusCode)
    }

    func testProfile() {
        let api = ProfileAPI(teapot: mock("profile"))
        var name: String?
        var count = 0
        api.profile("profile") { outcome in
            count += 1
            if case .success(let profile) = outcome { name = profile["name"] as? String }
        }
        XCTAssertEqual(name, "Ada")
        XCTAssertEqual(count, 1)
    }

    func testProfileWithExpectation() {
        let expectation = self.expectation(description: "profile")
        var received: [String: Any] = [:]
        mock("profile").get("/profile") { (result: NetworkResult) in
            switch result {
            case .success(let json, let response):
                guard let json = json?.dictionary else { return XCTFail("no object") }
                received = json
                XCTAssertEqual(response.statusCode, 200)
            case .failure(_, _, let error):
                XCTFail(error.localizedDescription)
            }
            expectation.fulfill()
        }
        waitForExpectations(timeout: 5)
        XCTAssertEqual(received["tags"] as! [String], ["first", "programmer"])
    }

    func testProfiles() {
        var names = [String]()
        mock("profiles").get("profiles") { (result: NetworkResult) in
            guard case .success(let json, _) = result else { return }
            json?.array?.forEach { names.append($0["name"] as! String) }
        }
        XCTAssertEqual(names, ["Ada", "Grace"])
    }

    func testStatusOnly() {
        for statusCode in [MockTeapot.StatusCode.unauthorized, .notFound, .internalServerError] {
            var outcomes: [String] = []
            ProfileAPI(teapot: mock("", statusCode)).profile("profile") { outcome in
                if case .failure(_, let status) = outcome { outcomes.append("\(status)") }
            }
            XCTAssertEqual(outcomes, ["\(statusCode.rawValue)"])
        }
        var isSuccess = false
        mock("", .noContent).delete("profile") { (result: NetworkResult) in
            if case .success(nil, _) = result { isSuccess = true }
        }
        XCTAssertTrue(isSuccess)
    }

    func testErrorWithABody() {
        var message = ""
        ProfileAPI(teapot: mock("validation", .badRequest)).profile("profile") { outcome in
            if case .failure(let text, 400) = outcome { message = text }
        }
        XCTAssertEqual(message, "the name is too short")
    }

    func testErrorWithoutItsFile() {
        var error: TeapotError!
        mock("not there", .forbidden).get("profile") { (result: NetworkResult) in
            if case .failure(_, _, let received) = result { error = received }
        }
        XCTAssertEqual(error.type, .invalidResponseStatus)
        XCTAssertEqual(error.responseStatus, 403)
    }

    func testMissingFile() {
        var type: TeapotError.ErrorType?
        mock("not there").get("profile") { (result: NetworkResult) in
            if case .failure(_, _, let error) = result { type = error.type }
        }
        XCTAssertEqual(type, .missingMockFile)
    }

    func testOverriddenEndPointAndHeaders() {
        let teapot = mock("profile")
        teapot.overrideEndPoint("profiles", withFilename: "profiles")
        teapot.setExpectedHeaders(["Authorization": "Basic YWRtaW46dGVzdDEyMw==", "Content-Length": "7"])
        var headers = teapot.basicAuthenticationHeader(username: "admin", password: "test123")
        headers["Content-Length"] = "7"
        var results: [Bool] = []
        let take: (NetworkResult) -> Void = { result in
            if case .success = result { results.append(true) } else { results.append(false) }
        }
        teapot.get("profiles") { take($0) }
        teapot.post("profile", parameters: ["a": 1], headerFields: headers) { take($0) }
        teapot.post("profile", parameters: ["a": 1]) { take($0) }
        teapot.clearExpectedHeaders()
        teapot.post("profile", parameters: ["a": 1]) { take($0) }
        XCTAssertEqual(results, [true, true, false, true])
    }

    func testErrorsOfOnesOwn() {
        let teapotError = TeapotError(type: .noResponse, description: "offline", responseStatus: 400)
        let url = URL(string: "https://api.example.com")!
        let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)!
        guard case .success(nil, _) = NetworkResult(nil, response) else { return XCTFail("not a success") }
        guard case .failure(_, let error) = NetworkImageResult(nil, response) else { return XCTFail("not a failure") }
        XCTAssertEqual(error.type, .missingImage)
        switch teapotError.type {
        case .noResponse: XCTAssertEqual(teapotError.localizedDescription, "offline")
        default: XCTFail("\(teapotError.type)")
        }
    }

    func testLoggerWrapper() {
        func log(_ message: String, file: StaticString = #file, line: UInt = #line) -> Bool {
            return Logger(level: .error, output: { _ in }).errorLog(message, file: file, line: line)
        }
        XCTAssertTrue(log("written"))
        XCTAssertEqual(Logger.logString(from: nil), "[no data]")
    }
}
