import Foundation
import Teapot
@testable import TeapotMock
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct MockTransportTests {
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

    @Test func `answers on the calling thread otherwise`() throws {
        let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")
        let marked = MarkedQueue()
        let isOnQueue = Locked(false)
        marked.queue.sync {
            _ = mock.get("teapots/1") { (_: NetworkResult) in isOnQueue.withLock { $0 = marked.isCurrent } }
        }
        #expect(isOnQueue.withLock { $0 })
    }

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

    @Test func `an exchange that is cancelled ends`() throws {
        let mock = MockTeapot(strictIn: .module, clock: TestClock())
        try mock.overrideEndPoint("tea", with: .pieces(["tea"], every: .seconds(1), contentType: "text/plain"))
        let ends = Locked<[URLError.Code?]>([])
        let request = TransportRequest(URLRequest(url: mock.baseURL.appending(path: "tea")))
        let task = mock.mock.start(request) { event in
            if event.isFinished { ends.withLock { $0.append((event.error as? URLError)?.code) } }
        }
        task?.cancel()
        #expect(ends.withLock { $0 } == [.cancelled])
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
