import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct MockTransportTests {
    // MARK: - Bodies

    @Test(arguments: [MockTeapot.StatusCode.noContent, .notModified])
    func `sends no body with status`(_ statusCode: MockTeapot.StatusCode) throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object", statusCode: statusCode)
        let result = try answer { mock.get("teapots/1", completion: $0) }
        #expect(result.response.status == statusCode.rawValue)
        #expect(result.json == nil)
        #expect(result.error?.data?.isEmpty != false)
    }

    @Test func `announces no length with no content`() throws {
        // RFC 9110, section 8.6.
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object", statusCode: .noContent)
        let result = try answer { mock.get("teapots/1", completion: $0) }
        #expect(result.response.value(forHTTPHeaderField: "Content-Length") == nil)
    }

    @Test func `answers HEAD with headers only`() throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        let result = try answer { mock.head("teapots/1", completion: $0) }
        #expect(result.isSuccess)
        #expect(result.json == nil)
        #expect(result.response.value(forHTTPHeaderField: "Content-Length") == "30")
        #expect(result.response.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test func `keeps to the maximum response size`() throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        mock.maximumResponseSize = 29
        let result = try answer { mock.get("teapots/1", completion: $0) }
        #expect(result.error?.type == .responseTooLarge)
        #expect(result.json == nil)
        mock.maximumResponseSize = 30
        #expect(try answer { mock.get("teapots/1", completion: $0) }.isSuccess)
    }

    // MARK: - Errors found before sending

    @Test func `is not reached with a bad payload`() throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        let result = try answer { completion in
            let task = mock.post(
                "teapots",
                parameters: ["date": Date(timeIntervalSince1970: 0)],
                completion: completion
            )
            #expect(hasTask(task))
            return task
        }
        #expect(result.error?.type == .invalidPayload)
    }

    @Test(arguments: brief(["X Client", "Content-Length", "X-Client\r\nX-Other"]))
    func `is not reached with a bad header field`(_ argument: Brief<String>) throws {
        let name = argument.value
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        let result = try answer { completion in
            let task = mock.get("teapots/1", headerFields: [name: "1"], completion: completion)
            #expect(hasTask(task))
            return task
        }
        #expect(result.error?.type == .invalidHeaderField)
    }

    @Test func `sees the length of the body`() throws {
        let mock = MockTeapot(bundle: .module)
        mock.setExpectedHeaders(["content-length": "7"])
        let right = try answer { completion in
            mock.post("a", parameters: ["a": 1], headerFields: ["Content-Length": "7"], completion: completion)
        }
        #expect(right.isSuccess)
        #expect(try answer { mock.post("a", parameters: ["a": 1], completion: $0) }.isSuccess)
        let wrong = try answer { mock.post("a", parameters: ["a": 10], completion: $0) }
        #expect(wrong.error?.failureReason == "content-length has another value")
        let none = try answer { mock.get("a", completion: $0) }
        #expect(none.error?.failureReason == "content-length is missing")
    }

    // MARK: - Delivery

    static let calls: [(filename: String?, path: String, error: TeapotError.ErrorType?)] = [
        ("mock-object", "teapots/1", nil),
        ("mock-missing", "teapots/1", .missingMockFile),
        ("mock-object", "//example.com", .invalidRequestPath),
    ]

    @Test(arguments: calls)
    func `answers on the given queue`(_ filename: String?, path: String, error: TeapotError.ErrorType?) async {
        let mock = MockTeapot(bundle: .module, mockFilename: filename)
        let marked = MarkedQueue()
        let isOver = Locked(false)
        let result = await result { completion in
            let task = mock.get(path, deliveryQueue: marked.queue) { result in
                #expect(marked.isCurrent)
                isOver.withLock { $0 = true }
                completion(result)
            }
            #expect(isOver.withLock { $0 })
            return task
        }
        #expect(result.error?.type == error)
    }

    @Test func `answers on the calling thread otherwise`() throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        let marked = MarkedQueue()
        let isOnQueue = Locked(false)
        marked.queue.sync {
            _ = mock.get("teapots/1") { (_: NetworkResult) in isOnQueue.withLock { $0 = marked.isCurrent } }
        }
        #expect(isOnQueue.withLock { $0 })
    }

    @Test func `may be used in a completion`() throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        mock.overrideEndPoint("timestamp", withFilename: "mock-timestamp")
        let steps = Locked<[String]>([])
        mock.get("teapots/1") { (_: NetworkResult) in
            steps.withLock { $0.append("outer") }
            mock.setExpectedHeaders(["X-Client": "tea"])
            mock.get("timestamp") { (_: NetworkResult) in steps.withLock { $0.append("inner") } }
            steps.withLock { $0.append("outer again") }
        }
        #expect(steps.withLock { $0 } == ["outer", "inner", "outer again"])
    }

    // MARK: - Tasks

    @Test func `hands out a task that is completed`() throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        let completions = Locked(0)
        let task = mock.get("teapots/1?a=1", headerFields: ["X-Client": "tea"], allowsCellular: false) { result in
            #expect(CallResult(result).isSuccess)
            completions.withLock { $0 += 1 }
        }
        #expect(hasTask(task))
        #if canImport(FoundationNetworking)
            #expect(task?.state == .completed)
            #expect(task?.error == nil)
            #expect(task?.originalRequest?.url?.absoluteString == "https://mock.base.url.com/teapots/1?a=1")
            #expect(task?.originalRequest?.value(forHTTPHeaderField: "x-client") == "tea")
            #expect(task?.originalRequest?.allowsCellularAccess == false)
            #expect((task?.response as? HTTPURLResponse)?.status == 200)
            #expect(task?.countOfBytesReceived == 30)
        #endif
        for _ in 1...3 {
            task?.suspend()
            task?.resume()
            task?.cancel()
        }
        #expect(completions.withLock { $0 } == 1)
        #if canImport(FoundationNetworking)
            #expect(task?.state == .completed)
        #endif
    }

    @Test func `can be cancelled before the queue delivers`() async {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        let marked = MarkedQueue()
        let completions = Locked(0)
        marked.queue.suspend()
        let task = mock.get("teapots/1", deliveryQueue: marked.queue) { (_: NetworkResult) in
            completions.withLock { $0 += 1 }
        }
        task?.suspend()
        task?.cancel()
        task?.resume()
        marked.queue.resume()
        await marked.queue.drain()
        #if canImport(FoundationNetworking)
            #expect(completions.withLock { $0 } == 0)
            #expect(task?.state == .completed)
        #else
            #expect(task == nil)
        #endif
    }

    /// Whether a task is what this platform hands out; on Apple's, none can be made without a session.
    private func hasTask(_ task: URLSessionTask?) -> Bool {
        #if canImport(FoundationNetworking)
            task != nil
        #else
            task == nil
        #endif
    }
}
