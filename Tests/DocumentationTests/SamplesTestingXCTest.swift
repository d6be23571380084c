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
        nonisolated(unsafe) var count: Int?
        teapot.get("notes", deliveryQueue: .main) { result in
            guard case .success(let json, _) = result else { return }
            count = json?.array?.count
        }
        XCTAssertEqual(count, 2)
    }
}

extension MockTeapot {
    func assertVerified(file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertNoThrow(try verify(), file: file, line: line)
    }
}

final class VerifiedTests: XCTestCase {
    func testVerifies() async throws {
        let mock = MockTeapot(strictIn: .module)
        try mock.overrideEndPoint("notes", with: .file("notes"))
        _ = try await NotesClient(teapot: mock).notes()
        mock.assertVerified()
    }

    #if !canImport(ObjectiveC)
        private var failures: [(description: String, line: Int)] = []
        private var expectsFailure = false

        override func recordFailure(
            withDescription description: String,
            inFile filePath: String,
            atLine lineNumber: Int,
            expected: Bool
        ) {
            guard expectsFailure else {
                return super
                    .recordFailure(
                        withDescription: description,
                        inFile: filePath,
                        atLine: lineNumber,
                        expected: expected
                    )
            }
            failures.append((description, lineNumber))
        }

        func testFailsAtTheLineOfTheCaller() throws {
            let mock = MockTeapot(strictIn: .module)
            try mock.overrideEndPoint("notes", with: .file("notes"))
            expectsFailure = true
            mock.assertVerified()
            let line = #line - 1
            expectsFailure = false
            XCTAssertEqual(failures.map(\.line), [line])
            XCTAssertEqual(
                failures.first?.description.contains("notes (DocumentationTests/SamplesTestingXCTest.swift"),
                true
            )
        }
    #endif
}
