import Teapot
import TeapotMock
import XCTest

//: TestingWithMockTeapot 3

final class NotesClosureTests: XCTestCase {
    //: TestingWithMockTeapot 6

    func testServerIsDown() {
        let client = NotesClient(teapot: MockTeapot(bundle: .module, statusCode: .serviceUnavailable))
        nonisolated(unsafe) var status: Int?
        client.notes { result in
            if case .failure(let error) = result { status = error.responseStatus }
        }
        XCTAssertEqual(status, 503)
    }
}

//: ScriptingResponses 9

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
