import Teapot
import TeapotMock
import XCTest

final class NotesClientTests: XCTestCase {
    func testNotes() async throws {
        let client = NotesClient(teapot: MockTeapot(bundle: .module, mockFilename: "notes"))
        let titles = try await client.notes().map(\.title)
        XCTAssertEqual(titles, ["Buy tea", "Descale the kettle"])
    }

    func testServerIsDown() async {
        let client = NotesClient(teapot: MockTeapot(bundle: .module, statusCode: .serviceUnavailable))
        do {
            _ = try await client.notes()
            XCTFail("the call succeeded")
        } catch {
            XCTAssertEqual(error.responseStatus, 503)
        }
    }
}

final class NotesClosureTests: XCTestCase {
    func testNotes() {
        let client = NotesClient(teapot: MockTeapot(bundle: .module, mockFilename: "notes"))
        nonisolated(unsafe) var titles: [String]?
        client.notes { titles = try? $0.get().map(\.title) }
        XCTAssertEqual(titles, ["Buy tea", "Descale the kettle"])
    }

    func testServerIsDown() {
        let client = NotesClient(teapot: MockTeapot(bundle: .module, statusCode: .serviceUnavailable))
        nonisolated(unsafe) var status: Int?
        client.notes { result in
            if case .failure(let error) = result { status = error.responseStatus }
        }
        XCTAssertEqual(status, 503)
    }
}

final class MainQueueTests: XCTestCase {
    func testNotesOnMain() {
        let teapot = MockTeapot(bundle: .module, mockFilename: "notes")
        let called = expectation(description: "called on the main queue")
        teapot.get("notes", deliveryQueue: .main) { result in
            guard case .success(let json, _) = result else { return }
            XCTAssertEqual(json?.array?.count, 2)
            called.fulfill()
        }
        wait(for: [called], timeout: 5)
    }
}
