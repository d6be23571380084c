import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// The lines that users of the closure API write, as they write them.
@Suite(.inTurn)
struct LinesOfUseTests {
    @Test(arguments: [MockTeapot.StatusCode.ok, .notFound])
    func `a switch over the result`(statusCode: MockTeapot.StatusCode) {
        let teapot = MockTeapot(bundle: .module, mockFilename: "mock-object", statusCode: statusCode)
        let seen = Locked<[String]>([])
        teapot.get("path") { result in
            switch result {
            case .success(let json, let response):
                seen.withLock { $0.append("success \(json?.dictionary?.count ?? 0) \(response.status)") }
            case .failure(let json, let response, let error):
                seen.withLock { $0.append("failure \(json?.dictionary?.count ?? 0) \(response.status) \(error.type)") }
            }
        }
        let expected = statusCode == .ok ? "success 2 200" : "failure 2 404 invalidResponseStatus"
        #expect(seen.withLock { $0 } == [expected])
    }

    @Test(arguments: [("mock-object", "dictionary of 2"), ("mock-array", "array of 2")])
    func `a switch over the JSON`(filename: String, expected: String) throws {
        let teapot = MockTeapot(bundle: .module, mockFilename: filename)
        let json = try #require(try answer { teapot.get("path", completion: $0) }.json)
        let seen: String
        switch json {
        case .dictionary(let dict): seen = "dictionary of \(dict.count)"
        case .array(let ary): seen = "array of \(ary.count)"
        }
        #expect(seen == expected)
    }

    @Test func `query items and a segment`() async throws {
        let teapot = MockTeapot(bundle: .module)
        let name = "what?.txt"
        try await teapot.get("issues", query: ["state": "open", "label": "a", "label": "b"])
        try await teapot.get("issues", query: [URLQueryItem(name: "state", value: "open")])
        try await teapot.get("issues", query: ["state": "open", "page": 2])
        try await teapot.get("contents/\(Teapot.segment(name))")
        let targets = ["issues?state=open&label=a&label=b", "issues?state=open", "issues?state=open&page=2"]
        #expect(
            teapot.requests.map(\.url.absoluteString)
                == (targets + ["contents/what%3F.txt"]).map { "https://mock.base.url.com/" + $0 }
        )
    }

    @Test func `a post with parameters`() {
        let teapot = MockTeapot(bundle: .module, mockFilename: "mock-object", statusCode: .created)
        let log = Locked<[String]>([])
        teapot.logger = Logger(level: .incomingAndOutgoingData) { entry in log.withLock { $0.append(entry) } }
        let params: [String: Any] = ["name": "kettle", "cups": 3]
        let status = Locked<Int?>(nil)
        let task = teapot.post("something", parameters: params, allowsCellular: false) { result in
            if case .success(_, let response) = result { status.withLock { $0 = response.status } }
        }
        #expect(status.withLock { $0 } == 201)
        #expect(log.withLock { $0.first }?.contains(#""name" : "kettle""#) == true)
        #if canImport(FoundationNetworking)
            #expect(task?.originalRequest?.httpBody == Data(#"{"cups":3,"name":"kettle"}"#.utf8))
            #expect(task?.originalRequest?.allowsCellularAccess == false)
        #else
            #expect(task == nil)
        #endif
    }

    @Test @MainActor func `a get with a delivery queue`() {
        let teapot = MockTeapot(bundle: .module, mockFilename: "mock-object")
        // As the line stands: nothing to see but that it asks for the right URL.
        let log = Locked<[String]>([])
        teapot.logger = Logger(level: .incomingData) { entry in log.withLock { $0.append(entry) } }
        teapot.get("/get", deliveryQueue: .main) { _ in }
        #expect(log.withLock { $0.first }?.contains("200 GET https://mock.base.url.com/get") == true)

        let isOver = Locked(false)
        teapot.get("/get", deliveryQueue: .main) { _ in
            isOver.withLock { $0 = true }
        }
        #expect(isOver.withLock { $0 })
    }

    private class APIClient {
        var teapot: Teapot

        init(baseURL: URL) {
            teapot = Teapot(baseURL: baseURL)
        }
    }

    @Test func `a client that is given a mock`() throws {
        let client = APIClient(baseURL: try #require(URL(string: "https://example.com")))
        client.teapot = MockTeapot(bundle: .module, mockFilename: "mock-object")
        let result = try answer { client.teapot.get("path", completion: $0) }
        #expect(result.text("name") == "teapot")
        #expect(result.response.url?.host() == "mock.base.url.com")
    }
}
