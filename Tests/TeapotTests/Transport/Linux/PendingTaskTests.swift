#if canImport(FoundationNetworking)
    @testable import Teapot
    import TestSupport
    import TestTraits
    import Testing

    @Suite(.inTurn)
    struct PendingTaskTests {
        @Test func `a task that is cancelled as it begins reports its end last`() async throws {
            let url = try #require(URL(string: "http://127.0.0.1:9/"))
            let task = Locked<PendingTask?>(nil)
            let (finished, isEarly) = (DispatchSemaphore(value: 0), Locked<Bool?>(nil))
            let done = Signal()
            let transport = LinuxTransport(.checked(nil))
            let pending = PendingTask(URLRequest(url: url), try #require(Origin(url)), nil, transport) { event in
                if event.timings != nil {
                    task.withLock { $0 }?.cancel()
                    isEarly.withLock { $0 = finished.wait(timeout: .now() + 0.2) == .success }
                }
                if event.isFinished {
                    finished.signal()
                    done.fire()
                }
            }
            task.withLock { $0 = pending }
            await onThread { pending.begin(afterWaiting: true) }
            await done.wait()
            #expect(isEarly.withLock { $0 } == false)
            task.withLock { $0 = nil }
        }
    }
#endif
