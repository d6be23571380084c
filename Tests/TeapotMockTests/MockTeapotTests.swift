import Foundation
import TeapotMock
import TestSupport
import TestTraits
import Testing

import Teapot

@Suite(.inTurn)
struct MockTeapotTests {
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
}
