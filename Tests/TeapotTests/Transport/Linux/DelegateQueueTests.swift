#if canImport(FoundationNetworking)
    internal import Foundation
    internal import TestSupport
    internal import TestTraits
    internal import Testing

    @testable internal import Teapot

    @Suite("The queue of a session's delegate", .timeLimit(.minutes(10)), .inTurn)
    struct DelegateQueueTests {
        /// Adds blocks while the queue is at its first, and a few more than there is room for.
        ///
        /// - Returns: How long adding took in seconds, and in which order the blocks ran.
        private func add(_ extra: Int, whileAtBody isAtBody: Bool) -> (time: TimeInterval, order: [Int]) {
            let queue = DelegateQueue()
            let order = Locked<[Int]>([])
            let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            queue.addOperation { [weak queue] in
                if isAtBody { queue?.beginBody() }
                hasBegun.signal()
                mayEnd.wait()
                if isAtBody { queue?.endBody() }
            }
            hasBegun.wait()
            let start = DispatchTime.now()
            for number in 1..<DelegateQueue.capacity + extra {
                queue.addOperation { order.withLock { $0.append(number) } }
            }
            let time = TimeInterval(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
            mayEnd.signal()
            queue.waitUntilAllOperationsAreFinished()
            return (time, order.withLock { $0 })
        }

        @Test func makesTheSessionWaitWhenItIsFull() async {
            let (time, order) = await onThread { add(3, whileAtBody: true) }
            // As nothing makes room, each of the three waits for as long as it may.
            #expect(time >= 3 * DelegateQueue.patience)
            #expect(order == Array(1..<DelegateQueue.capacity + 3))
        }

        @Test func makesTheSessionWaitWhenItHasNotBegun() async {
            let (time, order) = await onThread {
                let serial = DispatchQueue(label: "serial")
                serial.suspend()
                let queue = DelegateQueue(queue: serial)
                let order = Locked<[Int]>([])
                let start = DispatchTime.now()
                for number in 0..<DelegateQueue.capacity + 3 {
                    queue.addOperation { order.withLock { $0.append(number) } }
                }
                let time = TimeInterval(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
                serial.resume()
                queue.waitUntilAllOperationsAreFinished()
                return (time, order.withLock { $0 })
            }
            #expect(time >= 3 * DelegateQueue.patience)
            #expect(order == Array(0..<DelegateQueue.capacity + 3))
        }

        /// What cancels a task needs the thread that would wait here.
        @Test func doesNotWaitForOperations() async {
            let (time, order) = await onThread {
                let queue = DelegateQueue()
                let order = Locked<[Int]>([])
                let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                queue.addOperation(
                    BlockOperation {
                        hasBegun.signal()
                        mayEnd.wait()
                    }
                )
                hasBegun.wait()
                let start = DispatchTime.now()
                for number in 0..<DelegateQueue.capacity + 100 {
                    if number.isMultiple(of: 7) {
                        queue.addOperation(BlockOperation { order.withLock { $0.append(number) } })
                    } else {
                        queue.addOperation { order.withLock { $0.append(number) } }
                    }
                }
                let time = TimeInterval(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
                #expect(order.withLock { $0.isEmpty })
                mayEnd.signal()
                queue.waitUntilAllOperationsAreFinished()
                return (time, order.withLock { $0 })
            }
            #expect(time < 100 * DelegateQueue.patience)
            #expect(order == Array(0..<DelegateQueue.capacity + 100))
        }

        @Test func waitsForNothingElse() async {
            // If each of these had to wait, it would be ten seconds and more.
            let (time, order) = await onThread { add(100, whileAtBody: false) }
            #expect(time < 100 * DelegateQueue.patience)
            #expect(order == Array(1..<DelegateQueue.capacity + 100))
        }

        @Test func goesOnAsSoonAsThereIsRoom() async {
            let order = await onThread {
                let queue = DelegateQueue()
                let order = Locked<[Int]>([])
                for number in 0..<5_000 {
                    queue.addOperation { [weak queue] in
                        queue?.beginBody()
                        order.withLock { $0.append(number) }
                        queue?.endBody()
                    }
                }
                queue.waitUntilAllOperationsAreFinished()
                return order.withLock { $0 }
            }
            #expect(order == Array(0..<5_000))
        }

        @Test func knowsItsThread() async {
            let (isCurrent, isCurrentBelow, isCurrentOutside) = await onThread {
                let queue = DelegateQueue()
                let found = Locked<(Bool, Bool)>((false, false))
                queue.addOperation {
                    let isCurrentBelow = DispatchQueue(label: "other").sync { DelegateQueue.isCurrent }
                    found.withLock { $0 = (DelegateQueue.isCurrent, isCurrentBelow) }
                }
                queue.waitUntilAllOperationsAreFinished()
                let inside = found.withLock { $0 }
                return (inside.0, inside.1, DelegateQueue.isCurrent)
            }
            #expect(isCurrent)
            #expect(isCurrentBelow)
            #expect(!isCurrentOutside)
        }
    }
#endif
