import Foundation
import TeapotMock
import TestSupport
import TestTraits
import Testing

@testable import Teapot

@Suite(.inTurn)
struct MockTeapotTests {
    // MARK: - Verbs

    struct Verb: Sendable, CustomTestStringConvertible {
        typealias Completion = @Sendable (NetworkResult) -> Void

        let testDescription: String
        var method = "GET"
        var body: String?
        let call: @Sendable (Teapot, String, @escaping Completion) -> URLSessionTask?
    }

    private static var object: [String: Any] { ["a": 1] }
    private static var array: [[String: Any]] { [["a": 1], ["b": "2"]] }
    private static let objectText = #"{"a":1}"#
    private static let arrayText = #"[{"a":1},{"b":"2"}]"#

    static let verbs: [Verb] = [
        Verb(testDescription: "get") { $0.get($1, completion: $2) },
        Verb(testDescription: "post, nothing", method: "POST") { $0.post($1, completion: $2) },
        Verb(testDescription: "post, dictionary", method: "POST", body: objectText) {
            $0.post($1, parameters: object, completion: $2)
        },
        Verb(testDescription: "post, array", method: "POST", body: arrayText) {
            $0.post($1, parameters: array, completion: $2)
        },
        Verb(testDescription: "post, parameter", method: "POST", body: objectText) {
            $0.post($1, parameters: RequestParameter(object), completion: $2)
        },
        Verb(testDescription: "post, data", method: "POST", body: "bytes") {
            $0.post($1, parameters: .data(Data("bytes".utf8)), completion: $2)
        },
        Verb(testDescription: "post, JSON", method: "POST", body: arrayText) {
            $0.post($1, parameters: RequestParameter(JSON(array)), completion: $2)
        },
        Verb(testDescription: "post, JSON of a result", method: "POST", body: objectText) {
            $0.post($1, parameters: RequestParameter(Optional(JSON(object))), completion: $2)
        },
        Verb(testDescription: "post, no JSON", method: "POST") { teapot, path, completion in
            let json: JSON? = nil
            return teapot.post(path, parameters: RequestParameter(json), completion: completion)
        },
        Verb(testDescription: "post, nil", method: "POST") { $0.post($1, parameters: nil, completion: $2) },
        Verb(testDescription: "put, nothing", method: "PUT") { $0.put($1, completion: $2) },
        Verb(testDescription: "put, dictionary", method: "PUT", body: objectText) {
            $0.put($1, parameters: object, completion: $2)
        },
        Verb(testDescription: "put, array", method: "PUT", body: arrayText) {
            $0.put($1, parameters: array, completion: $2)
        },
        Verb(testDescription: "patch, nothing", method: "PATCH") { $0.patch($1, completion: $2) },
        Verb(testDescription: "patch, dictionary", method: "PATCH", body: objectText) {
            $0.patch($1, parameters: object, completion: $2)
        },
        Verb(testDescription: "patch, array", method: "PATCH", body: arrayText) {
            $0.patch($1, parameters: array, completion: $2)
        },
        Verb(testDescription: "delete, nothing", method: "DELETE") { $0.delete($1, completion: $2) },
        Verb(testDescription: "delete, dictionary", method: "DELETE", body: objectText) {
            $0.delete($1, parameters: object, completion: $2)
        },
        Verb(testDescription: "delete, array", method: "DELETE", body: arrayText) {
            $0.delete($1, parameters: array, completion: $2)
        },
        Verb(testDescription: "head", method: "HEAD") { $0.head($1, completion: $2) },
    ]

    @Test(arguments: verbs)
    func `answers verb`(_ verb: Verb) throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object", statusCode: .accepted)
        let result = try answer { completion in
            let task = verb.call(mock, "/teapots/1", completion)
            #if canImport(FoundationNetworking)
                #expect(task?.originalRequest?.httpMethod == verb.method)
                #expect(task?.originalRequest?.httpBody == verb.body.map { Data($0.utf8) })
            #endif
            return task
        }
        #expect(result.isSuccess)
        #expect(result.response.status == 202)
        #expect(result.response.url?.absoluteString == "https://mock.base.url.com/teapots/1")
        #expect(result.text("name") == (verb.method == "HEAD" ? nil : "teapot"))
    }

    typealias ImageVerb = @Sendable (Teapot, @escaping @Sendable (NetworkImageResult) -> Void) -> URLSessionTask?

    static let imageVerbs: [(name: String, url: String, call: ImageVerb)] = [
        ("downloadImage()", "", { $0.downloadImage(completion: $1) }),
        ("downloadImage(path:)", "/a.png", { $0.downloadImage(path: "a.png", completion: $1) }),
        ("get()", "", { $0.get(completion: $1) }),
        ("get(_:)", "/a.png", { $0.get("a.png", completion: $1) }),
    ]

    @Test(arguments: imageVerbs)
    func `answers image verb`(_ name: String, url: String, call: ImageVerb) throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-image.png")
        let result = try imageAnswer { call(mock, $0) }
        #expect(result.image != nil)
        #expect(result.response.status == 200)
        #expect(result.response.url?.absoluteString == "https://mock.base.url.com\(url)")
        let failing = MockTeapot(bundle: .module, mockFilename: "mock-image.png", statusCode: .gone)
        #expect(try imageAnswer { call(failing, $0) }.error?.responseStatus == 410)
    }

    // MARK: - URLs

    @Test func `has a base URL`() {
        #expect(MockTeapot(bundle: .module).baseURL.absoluteString == "https://mock.base.url.com")
    }

    static let urls: [(path: String, url: String)] = [
        ("", "https://mock.base.url.com"),
        ("/", "https://mock.base.url.com/"),
        ("users", "https://mock.base.url.com/users"),
        ("/users/", "https://mock.base.url.com/users/"),
        ("users?q=a%26b&x", "https://mock.base.url.com/users?q=a%26b&x"),
        ("ünï/😀", "https://mock.base.url.com/%C3%BCn%C3%AF/%F0%9F%98%80"),
        ("https://mock.base.url.com/users?page=2", "https://mock.base.url.com/users?page=2"),
    ]

    @Test(arguments: urls)
    func `responds with the joined URL`(_ path: String, url: String) throws {
        let mock = MockTeapot(bundle: .module)
        #expect(try answer { mock.get(path, completion: $0) }.response.url?.absoluteString == url)
    }

    @Test func `takes another base URL`() throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        mock.baseURL = try #require(URL(string: "https://api.example.com/v1/"))
        let result = try answer { mock.get("/teapots/1", completion: $0) }
        #expect(result.response.url?.absoluteString == "https://api.example.com/v1/teapots/1")
        #expect(result.text("name") == "teapot")
    }

    // MARK: - The client's own code

    @Test func `writes to the logger`() throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object", statusCode: .badRequest)
        let entries = Locked<[String]>([])
        mock.logger = Logger(level: .incomingAndOutgoingData) { entry in entries.withLock { $0.append(entry) } }
        let headerFields = ["Authorization": "Bearer pass"]
        _ = try answer {
            mock.post("teapots?token=pass", parameters: ["cups": 2], headerFields: headerFields, completion: $0)
        }
        let text = entries.withLock { $0 }
        #expect(text.count == 3)
        #expect(text.first?.contains("POST https://mock.base.url.com/teapots?token=<redacted>") == true)
        #expect(text.first?.contains("Authorization: <redacted>") == true)
        #expect(text.dropFirst().first?.contains("400 POST") == true)
        #expect(text.joined().contains(#""name" : "teapot""#))
        #expect(!text.joined().contains("pass"))
    }

    @Test func `has a cookie jar of its own`() throws {
        let mock = MockTeapot(bundle: .module)
        let other = MockTeapot(bundle: .module)
        let setting = try #require(
            HTTPURLResponse(
                url: mock.baseURL,
                statusCode: 200,
                httpVersion: nil,
                headerFields: ["Set-Cookie": "cups=2; Path=/"]
            )
        )
        try #require(mock.cookieJar).store(setting, from: mock.baseURL)
        for client in [mock, other] { client.setExpectedHeaders(["Cookie": "cups=2"]) }
        #expect(try answer { mock.get("teapots", completion: $0) }.isSuccess)
        #expect(try answer { other.get("teapots", completion: $0) }.error?.failureReason == "Cookie is missing")
    }

    @Test func `sends a request of any method`() throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        let json = Locked<Data?>(nil)
        var request = Teapot.Request(.post, path: "teapots", query: ["q": "a&b"])
        request.body = Teapot.Request.Body(Data("{}".utf8))
        let url = Locked<URL?>(nil)
        mock.send(request) { result in
            let response = try? result.get()
            json.withLock { $0 = response?.data }
            url.withLock { $0 = response?.http.url }
        }
        #expect(json.withLock { $0 }?.count == 30)
        #expect(url.withLock { $0 }?.query(percentEncoded: true) == "q=a%26b")
    }

    // MARK: - As users hold it

    private class APIClient {
        var teapot: Teapot

        init(teapot: Teapot) {
            self.teapot = teapot
        }

        func cups(completion: @escaping @Sendable (Int?) -> Void) {
            teapot.get("teapots/1") { result in
                guard case .success(let json, _) = result else { return completion(nil) }
                completion(json?.dictionary?["cups"] as? Int)
            }
        }
    }

    @Test func `stands in for a Teapot`() throws {
        let client = APIClient(teapot: Teapot(baseURL: try #require(URL(string: "https://example.com"))))
        client.teapot = MockTeapot(bundle: .module, mockFilename: "mock-object")
        let cups = Locked<Int?>(nil)
        client.cups { count in cups.withLock { $0 = count } }
        #expect(cups.withLock { $0 } == 2)
    }

    private final class TeapotOfAnApp: MockTeapot, @unchecked Sendable {
        let name: String

        init(name: String) {
            self.name = name
            super.init(bundle: .module, mockFilename: "mock-object")
            setExpectedHeaders(["X-Client": name])
        }
    }

    @Test func `can be subclassed`() throws {
        let mock = TeapotOfAnApp(name: "tea")
        #expect(try answer { mock.get("a", headerFields: ["X-Client": mock.name], completion: $0) }.isSuccess)
        #expect(try answer { mock.get("a", completion: $0) }.error?.type == .incorrectHeaders)
    }

    @MainActor private final class ViewModel {
        private(set) var name: String?
        private let teapot: Teapot

        init(teapot: Teapot) {
            self.teapot = teapot
        }

        func load() {
            teapot.get("teapots/1") { [weak self] result in
                guard case .success(let json, _) = result else { return }
                let name = json?.dictionary?["name"] as? String
                MainActor.assumeIsolated { self?.name = name }
            }
        }
    }

    @Test @MainActor func `works on the main actor`() {
        let model = ViewModel(teapot: MockTeapot(bundle: .module, mockFilename: "mock-object"))
        model.load()
        #expect(model.name == "teapot")
    }

    @Test func `works from many tasks at once`() async {
        let right = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let statusCode = MockTeapot.StatusCode(rawValue: 400 + number)
                    let mock = MockTeapot(bundle: .module, mockFilename: "mock-object", statusCode: statusCode)
                    mock.overrideEndPoint("timestamp", withFilename: "mock-timestamp")
                    mock.setExpectedHeaders(["X-Number": "\(number)"])
                    let own = try? answer { mock.get("a", headerFields: ["X-Number": "\(number)"], completion: $0) }
                    let overridden = try? answer { mock.get("timestamp", completion: $0) }
                    return own?.response.status == 400 + number && own?.text("name") == "teapot"
                        && overridden?.response.status == 200 && overridden?.dictionary["timestamp"] != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(right == 200)
    }

    @Test func `works from many threads at once`() throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        let successes = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 200) { number in
            mock.setExpectedHeaders(["X-Client": "tea"])
            mock.overrideEndPoint("other\(number)", withFilename: "mock-timestamp")
            mock.get("a", headerFields: ["X-Client": "tea"]) { result in
                guard case .success = result else { return }
                successes.withLock { $0 += 1 }
            }
        }
        #expect(successes.withLock { $0 } == 200)
    }

    // MARK: - Its end

    @Test func `is freed after use`() throws {
        weak var freed: MockTeapot?
        do {
            let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
            mock.setExpectedHeaders(["X-Client": "tea"])
            _ = try answer { mock.get("a", headerFields: ["X-Client": "tea"], completion: $0) }
            _ = try answer { mock.get("a", completion: $0) }
            _ = try answer { mock.get("//", completion: $0) }
            freed = mock
            #expect(freed != nil)
        }
        #expect(freed == nil)
    }

    @Test func `may go before the queue delivers`() async {
        let marked = MarkedQueue()
        marked.queue.suspend()
        let result = await result { completion in
            let task = MockTeapot(bundle: .module, mockFilename: "mock-object")
                .get("teapots/1", deliveryQueue: marked.queue, completion: completion)
            marked.queue.resume()
            return task
        }
        #expect(result.text("name") == "teapot")
    }
}
