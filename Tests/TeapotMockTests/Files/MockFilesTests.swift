import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct MockFilesTests {
    // MARK: - What is wrong with them

    @Test func `have names`() throws {
        let mock = MockTeapot(bundle: .module)
        mock.overrideEndPoint("ping", withFilename: "")
        #expect(try answer { mock.get("ping", completion: $0) }.error?.failureReason == "the file name is empty")
    }

    @Test(arguments: ["mock-missing", "mock-image", "mock-missing.png", "100%@ %1$@", "../mock", "mock-object/", " "])
    func `are missing`(_ filename: String) throws {
        let mock = MockTeapot(bundle: .module, mockFilename: filename, statusCode: .created)
        let result = try answer { mock.get("teapots/1", completion: $0) }
        #expect(result.error?.type == .missingMockFile)
        #expect(result.error?.description.contains("\(filename).json") == true)
        #expect(result.json == nil)
        #expect(result.response.status == 400)
        #expect(result.response.url?.absoluteString == "https://mock.base.url.com/teapots/1")
    }

    static let reasons = [
        ("mock-broken", "not a JSON object or array"), ("mock-fragment", "not a JSON object or array"),
        ("mock-empty", "not a JSON object or array"), ("mock-text.txt", "not an image of a known format"),
        ("mock-object.json", "name JSON files without .json"),
    ]

    @Test(arguments: reasons)
    func `are invalid for a reason`(_ filename: String, reason: String) throws {
        let mock = MockTeapot(bundle: .module, mockFilename: filename, statusCode: 299)
        let result = try answer { mock.get("teapots/1", completion: $0) }
        #expect(result.error?.type == .invalidMockFile)
        #expect(result.error?.description.contains("\(filename).json") == true)
        #expect(result.error?.failureReason == reason)
        #expect(result.json == nil)
        #expect(result.response.status == 400)
    }

    private static let filesOfFailures = [
        "", "mock-missing", "mock-broken", "mock-empty", "mock-fragment", "mock-text.txt",
    ]

    @Test(arguments: filesOfFailures, [300, 304, 401, 404, 500, 599] as [MockTeapot.StatusCode])
    func `do not outrank a failure`(_ filename: String, status: MockTeapot.StatusCode) throws {
        let mock = MockTeapot(bundle: .module, mockFilename: filename, statusCode: status)
        let result = try answer { mock.get("teapots/1", completion: $0) }
        #expect(result.error?.type == .invalidResponseStatus)
        #expect(result.error?.responseStatus == status.rawValue)
        #expect(result.response.status == status.rawValue)
        #expect(result.json == nil)
        let image = try imageAnswer { mock.downloadImage(path: "a.png", completion: $0) }
        #expect(image.error?.type == .invalidResponseStatus)
        #expect(image.error?.responseStatus == status.rawValue)
    }

    // MARK: - Where they are

    /// The answer of a mock with this bundle: the member `from` of its JSON, or its error.
    private func from(_ bundle: Bundle, _ filename: String) throws -> (text: String?, error: TeapotError?) {
        let mock = MockTeapot(bundle: bundle, mockFilename: filename)
        let result = try answer { mock.get("anything", completion: $0) }
        return (result.text("from"), result.error)
    }

    /// The files in a folder, by their names, and what a mock with a bundle of it reads for a name.
    static let places: [(paths: [String], bundle: String, filename: String, from: String?)] = [
        (["get.json"], "", "get", "get.json"),
        (["Resources/get.json"], "", "get", "Resources/get.json"),
        (["A.resources/get.json"], "", "get", "A.resources/get.json"),
        (["A.bundle/get.json"], "", "get", "A.bundle/get.json"),
        (["A.resources/Fixtures/get.json"], "", "Fixtures/get", "A.resources/Fixtures/get.json"),
        (["A.resources/Fixtures/get.json"], "", "get", nil),
        (["Sources/get.json", "get.json/file"], "", "get", nil),
        // In a bundle, and beside it.
        (["App.xctest/get.json", "App.xctest/A.resources/get.json"], "App.xctest", "get", "App.xctest/get.json"),
        (["debug/get.json", "debug/A.resources/get.json"], "debug", "get", "debug/A.resources/get.json"),
    ]

    @Test(arguments: places)
    func `are in the bundle or beside it`(paths: [String], name: String, filename: String, expected: String?) throws {
        let files = paths.map { ($0, #"{"from": "\#($0)"}"#) }
        try TemporaryFolder.with(Dictionary(uniqueKeysWithValues: files)) { folder in
            let bundle = try #require(Bundle(url: folder.bundleURL.appending(path: name)))
            let found = try from(bundle, filename)
            #expect(found.text == expected)
            #expect(found.error?.type == (expected == nil ? .missingMockFile : nil))
        }
    }

    @Test func `may be the same in several bundles`() throws {
        let text = #"{"from": "both"}"#
        try TemporaryFolder.with(["A.resources/get.json": text, "B.resources/get.json": text]) { bundle in
            #expect(try from(bundle, "get").text == "both")
            let missing = try from(bundle, "got").error
            #expect(missing?.failureReason?.hasSuffix("A.resources, B.resources") == true)
        }
    }

    @Test(arguments: ["get", "Fixtures/get"])
    func `may not differ between bundles beside each other`(_ filename: String) throws {
        try TemporaryFolder.with([
            "App_ATests.resources/\(filename).json": #"{"from": "A"}"#,
            "App_BTests.resources/\(filename).json": #"{"from": "B"}"#,
        ]) { bundle in
            let error = try #require(try from(bundle, filename).error)
            #expect(error.type == .invalidMockFile)
            #expect(error.failureReason?.contains("App_ATests.resources") == true)
            #expect(error.failureReason?.contains("App_BTests.resources") == true)

            let own = try #require(Bundle(url: bundle.bundleURL.appending(path: "App_BTests.resources")))
            let found = try from(own, filename)
            #expect(found.text == "B")
        }
    }

    @Test func `are read at each call`() throws {
        try TemporaryFolder.with(["get.json": #"{"from": "before"}"#]) { bundle in
            let mock = MockTeapot(bundle: bundle, mockFilename: "get")
            #expect(try answer { mock.get("a", completion: $0) }.text("from") == "before")
            try Data(#"{"from": "after"}"#.utf8).write(to: bundle.bundleURL.appending(path: "get.json"))
            #expect(try answer { mock.get("a", completion: $0) }.text("from") == "after")
        }
    }
}
