import LoopbackServer
import Teapot
import XCTest

/// The same client with a server.
class ServedProfileTests: XCTestCase {
    var server: LoopbackServer!
    var api: ProfileAPI!

    override func setUpWithError() throws {
        server = try LoopbackServer()
        api = ProfileAPI(teapot: Teapot(baseURL: server.baseURL))
    }

    func testProfile() {
        let called = expectation(description: "called")
        var headers: [String: Any] = [:]
        api.profile("headers") { outcome in
            if case .success(let dictionary) = outcome { headers = dictionary["headers"] as! [String: Any] }
            called.fulfill()
        }
        wait(for: [called], timeout: 60)
        XCTAssertEqual(headers["X-Client"] as? String, "app")
    }

    func testSignedBodyWithItsLength() {
        let called = expectation(description: "called")
        let profile: [String: Any] = ["name": "Ada", "home": "/users/ada", "tags": ["a", "b"], "age": 36]
        var echo: [String: Any] = [:]
        api.save(profile, to: "put") { outcome in
            if case .success(let dictionary) = outcome { echo = dictionary }
            called.fulfill()
        }
        wait(for: [called], timeout: 60)
        let headers = echo["headers"] as! [String: String]
        let body = (echo["data"] as! String).data(using: .utf8)!
        XCTAssertEqual(headers["Content-Length"], "\(body.count)")
        XCTAssertEqual(headers["X-Checksum"], "\(api.checksum(of: body))")
    }

    func testBasicAuthentication() {
        let called = expectation(description: "called")
        called.expectedFulfillmentCount = 2
        var isLoggedIn = false
        var isRefused = false
        api.logIn("ada", "tea") { isWelcome in
            isLoggedIn = isWelcome
            called.fulfill()
        }
        api.logIn("ada", "coffee") { isWelcome in
            isRefused = !isWelcome
            called.fulfill()
        }
        wait(for: [called], timeout: 60)
        XCTAssertTrue(isLoggedIn)
        XCTAssertTrue(isRefused)
        XCTAssertEqual(api.session, "ada")
    }

    func testImageUpload() {
        let called = expectation(description: "called")
        let picture = Data("GIF89a\u{1}\0\u{1}\0".utf8)
        var echo: [String: Any] = [:]
        api.upload(picture, to: "post") { result in
            if case .success(let json, _) = result { echo = json?.dictionary ?? [:] }
            called.fulfill()
        }
        wait(for: [called], timeout: 60)
        let files = echo["files"] as? [String: String]
        XCTAssertEqual(files?.keys.sorted(), ["image"])
    }

    func testImage() {
        let called = expectation(description: "called")
        var image: TeapotImage?
        api.teapot.downloadImage(path: "image/png") { result in
            if case .success(let downloaded, _) = result { image = downloaded }
            called.fulfill()
        }
        wait(for: [called], timeout: 60)
        let body = api.teapot.multipartData(from: image!, boundary: "B", filename: "a.png")
        XCTAssertTrue(body.starts(with: Data("--B\r\nContent-Disposition: form-data; name=\"image\"".utf8)))
    }

    func testJSONOfAResultGoesOn() {
        let called = expectation(description: "called")
        var sent: [String: Any]?
        api.copy("get?tea=green", to: "post") { result in
            if case .success(let json, _) = result { sent = json?.dictionary?["json"] as? [String: Any] }
            called.fulfill()
        }
        wait(for: [called], timeout: 60)
        XCTAssertEqual(sent?["args"] as? [String: String], ["tea": "green"])
    }

    func testTask() {
        let called = expectation(description: "called")
        let task = api.teapot.get("get") { (_: NetworkResult) in called.fulfill() }
        task?.suspend()
        task?.resume()
        wait(for: [called], timeout: 60)
        let cancelled = api.teapot.get("delay/1") { (_: NetworkResult) in XCTFail("a cancelled call completed") }
        cancelled?.cancel()
    }
}
