import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct EndpointOverrideTests {
    private let mock = MockTeapot(bundle: .module, mockFilename: "mock-object", statusCode: .internalServerError)

    static let matching: [(endpoint: String, path: String)] = [
        ("timestamp", "timestamp"),
        ("timestamp", "timestamp/"),
        ("timestamp", "v1/timestamp"),
        ("timestamp", "/v1/timestamp?zone=utc"),
        ("timestamp", "timestamp#now"),
        ("timestamp", "v1/other/../timestamp"),
        ("timestamp", "https://mock.base.url.com/v1/timestamp"),
        ("/timestamp/", "v1/timestamp/?zone=utc"),
        ("timestamp?zone=utc", "timestamp"),
        ("timestamp#now", "timestamp"),
        ("/v1/timestamp", "api/v1/timestamp"),
        ("v1//timestamp", "v1/timestamp"),
        ("v1/other/%2e%2E/timestamp", "v1/timestamp"),
        ("my%20clock", "my clock"),
        ("my clock", "my%20clock"),
        ("%C3%BCn%C3%AF", "ünï"),
        ("100%", "100%25"),
        ("a%2Fb", "v1/a%2Fb"),
    ]

    @Test(arguments: matching)
    func `answers path`(_ endpoint: String, _ path: String) throws {
        mock.overrideEndPoint(endpoint, withFilename: "mock-timestamp")
        let result = try answer { mock.get(path, completion: $0) }
        #expect(result.isSuccess)
        #expect(result.response.status == 200)
        #expect(result.dictionary["timestamp"] as? Int == 1_700_000_000)
    }

    static let notMatching: [(endpoint: String, path: String)] = [
        ("timestamp/", "timestamp"),
        ("timestamp/?zone=utc", "v1/timestamp"),
        ("timestamp", "timestamps"),
        ("timestamp", "mytimestamp"),
        ("timestamp", "timestamp/1"),
        ("timestamp", "Timestamp"),
        ("timestamp", "now?a=/timestamp"),
        ("v1/timestamp", "timestamp"),
        ("1/timestamp", "v1/timestamp"),
        ("/", "timestamp"),
        ("", ""),
    ]

    @Test(arguments: notMatching)
    func `leaves path alone`(_ endpoint: String, _ path: String) throws {
        mock.overrideEndPoint(endpoint, withFilename: "mock-timestamp")
        let result = try answer { mock.get(path, completion: $0) }
        #expect(result.response.status == 500)
        #expect(result.text("name") == "teapot")
    }

    @Test func `gives way to a later one`() throws {
        mock.overrideEndPoint("timestamp", withFilename: "mock-timestamp")
        mock.overrideEndPoint("/timestamp", withFilename: "mock-version")
        #expect(try answer { mock.get("timestamp", completion: $0) }.dictionary["version"] as? Int == 1)
    }

    @Test func `expects no headers`() throws {
        mock.overrideEndPoint("timestamp", withFilename: "mock-timestamp")
        mock.setExpectedHeaders(["X-Client": "tea"])
        #expect(try answer { mock.get("timestamp", completion: $0) }.response.status == 200)
        #expect(try answer { mock.get("other", completion: $0) }.error?.type == .incorrectHeaders)
    }
}
