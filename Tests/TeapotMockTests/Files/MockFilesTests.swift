import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct MockFilesTests {
    // MARK: - What is in them

    @Test(arguments: [("mock-image.png", "image/png"), ("mock-image.jpg", "image/jpeg")])
    func `are images`(_ filename: String, mediaType: String) throws {
        let mock = MockTeapot(bundle: .module, mockFilename: filename)
        let result = try imageAnswer { mock.downloadImage(completion: $0) }
        #expect(result.error == nil)
        #expect(result.image != nil)
        #expect(result.response.value(forHTTPHeaderField: "Content-Type") == mediaType)
        #if !canImport(UIKit) && !canImport(AppKit)
            #expect(result.image?.pixelWidth == 7)
            #expect(result.image?.pixelHeight == 3)
            #expect(result.image?.format.mediaType == mediaType)
        #endif
    }

    // MARK: - What is wrong with them

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

    @Test func `are missing from named places`() throws {
        try TemporaryFolder.with(["debug/App_Tests.resources/get.json": "{}"]) { folder in
            let bundle = try #require(Bundle(url: folder.bundleURL.appending(path: "debug")))
            let found = try from(bundle, "got")
            #expect(found.error?.failureReason == #"neither "got.json" nor "got" is in debug, App_Tests.resources"#)
        }
    }

    @Test func `have names`() throws {
        let mock = MockTeapot(bundle: .module)
        mock.overrideEndPoint("ping", withFilename: "")
        let error = try #require(try answer { mock.get("ping", completion: $0) }.error)
        #expect(error.type == .missingMockFile)
        #expect(error.description.contains(#""".json"#))
        #expect(error.failureReason == "the file name is empty")
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

    @Test(arguments: ["get.json", "Resources/get.json", "App_Tests.resources/get.json", "App_Tests.bundle/get.json"])
    func `are in the bundle or beside it`(_ path: String) throws {
        try TemporaryFolder.with([path: #"{"from": "here"}"#]) { bundle in
            let found = try from(bundle, "get")
            #expect(found.text == "here")
        }
    }

    @Test func `may be in a folder of the bundle`() throws {
        try TemporaryFolder.with(["App_Tests.resources/Fixtures/get.json": #"{"from": "Fixtures"}"#]) { bundle in
            let found = try from(bundle, "Fixtures/get")
            #expect(found.text == "Fixtures")
            let unqualified = try from(bundle, "get")
            #expect(unqualified.error?.type == .missingMockFile)
        }
    }

    @Test func `are not in other folders`() throws {
        try TemporaryFolder.with(["Sources/get.json": "{}", "get.json/file": ""]) { bundle in
            let found = try from(bundle, "get")
            #expect(found.error?.type == .missingMockFile)
        }
    }

    @Test func `may be the same in several bundles`() throws {
        try TemporaryFolder.with([
            "App_ATests.resources/get.json": #"{"from": "both"}"#,
            "App_BTests.resources/get.json": #"{"from": "both"}"#,
        ]) { bundle in
            let found = try from(bundle, "get")
            #expect(found.text == "both")
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

    @Test(arguments: [("App.xctest", "bundle itself"), ("debug", "resources")])
    func `may be both in a bundle and beside it`(_ name: String, expected: String) throws {
        try TemporaryFolder.with([
            "\(name)/get.json": #"{"from": "bundle itself"}"#,
            "\(name)/App_Tests.resources/get.json": #"{"from": "resources"}"#,
        ]) { folder in
            let bundle = try #require(Bundle(url: folder.bundleURL.appending(path: name)))
            let found = try from(bundle, "get")
            #expect(found.text == expected)
        }
    }

    @Test func `are missing when the bundle is gone`() throws {
        let gone = Locked<Bundle?>(nil)
        try TemporaryFolder.with(["get.json": "{}"]) { bundle in gone.withLock { $0 = bundle } }
        let found = try from(try #require(gone.withLock { $0 }), "get")
        #expect(found.error?.type == .missingMockFile)
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
