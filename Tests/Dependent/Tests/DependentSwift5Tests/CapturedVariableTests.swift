import Teapot
import TeapotMock
import XCTest

/// Completions as code in Swift 5 mode has them: they change captured variables, and no compiler warns of it.
class CapturedVariableTests: XCTestCase {
    let teapot: Teapot = MockTeapot(bundle: .main)
    var property = 0

    func testVerbs() {
        var results = [NetworkResult]()
        var count = 0
        teapot.get("a") { (result: NetworkResult) in
            results.append(result)
            count += 1
            self.property += 1
        }
        teapot.head("a") { results.append($0) }
        teapot.post("a") { results.append($0) }
        teapot.post("a", parameters: ["a": 1]) { results.append($0) }
        teapot.post("a", parameters: [["a": 1]]) { results.append($0) }
        teapot.post("a", parameters: RequestParameter(["a": 1])) { results.append($0) }
        teapot.post("a", parameters: nil) { results.append($0) }
        let json: JSON? = JSON(["a": 1])
        teapot.post("a", parameters: json) { results.append($0) }
        teapot.put("a", parameters: ["a": 1]) { results.append($0) }
        teapot.put("a", parameters: [["a": 1]]) { results.append($0) }
        teapot.put("a", parameters: RequestParameter(json)) { results.append($0) }
        teapot.put("a") { results.append($0) }
        teapot.patch("a", parameters: ["a": 1]) { results.append($0) }
        teapot.patch("a", parameters: [["a": 1]]) { results.append($0) }
        teapot.patch("a", parameters: RequestParameter(json)) { results.append($0) }
        teapot.patch("a") { results.append($0) }
        teapot.delete("a", parameters: ["a": 1]) { results.append($0) }
        teapot.delete("a", parameters: [["a": 1]]) { results.append($0) }
        teapot.delete("a", parameters: RequestParameter(json)) { results.append($0) }
        teapot.delete("a") { results.append($0) }
        XCTAssertEqual(results.count, 20)
        XCTAssertEqual(count, 1)
        XCTAssertEqual(property, 1)
    }

    func testImageVerbs() {
        var results = [NetworkImageResult]()
        teapot.downloadImage { results.append($0) }
        teapot.get("a") { (result: NetworkImageResult) in results.append(result) }
        XCTAssertEqual(results.count, 2)
    }

    func testStoredCompletion() {
        var message: String?
        load { message = $0 }
        XCTAssertEqual(message, "200")
    }

    private func load(_ completion: @escaping (String) -> Void) {
        teapot.get("a") { (result: NetworkResult) in
            guard case .success(_, let response) = result else { return }
            completion("\(response.status)")
        }
    }
}
