#if canImport(FoundationNetworking)
    import Foundation
    import TestSupport
    import TestTraits
    import Testing

    @testable internal import Teapot

    @Suite(.inTurn)
    struct DelegateQueueTests {
        /// In seconds: practically unlimited, and practically zero.
        private static let (endless, short) = (86_400.0, 0.001)

        /// The numbers of the blocks, in the order in which they ran.
        private let order = Locked<[Int]>([])

        /// Adds more blocks than there is room for, on a thread of its own, while the queue is busy, until all are added or one
        /// has to wait. Lets the queue go on then.
        ///
        /// - Returns: Whether all were added before that.
        private func addsAll(
            to queue: DelegateQueue,
            isPatient: Bool = false,
            alsoAdds operation: (@Sendable () -> BlockOperation)? = nil,
            resume: () -> Void
        ) async -> Bool {
            let (hasAdded, isOver, count) = (Locked(false), Signal(), DelegateQueue.capacity + 100)
            Thread.detachNewThread { [order] in
                for number in 0..<count {
                    if number.isMultiple(of: 7), let operation { queue.addOperation(operation()) }
                    queue.addOperation { order.withLock { $0.append(number) } }
                }
                hasAdded.withLock { $0 = true }
                queue.waitUntilAllOperationsAreFinished()
                isOver.fire()
            }
            await eventually { hasAdded.withLock { $0 } || (!isPatient && queue.isSenderWaiting) }
            let isAll = hasAdded.withLock { $0 }
            resume()
            await isOver.wait()
            #expect(order.withLock { $0 } == Array(0..<count))
            return isAll
        }

        /// A queue that is at its first block, and what lets that go on.
        private func busyQueue(
            patience: TimeInterval,
            eventPatience: TimeInterval = Self.endless,
            isAtBody: Bool = false,
            isOperation: Bool = false
        ) async -> (DelegateQueue, DispatchSemaphore) {
            let queue = DelegateQueue(patience: patience, eventPatience: eventPatience)
            let (hasBegun, mayEnd) = (Signal(), DispatchSemaphore(value: 0))
            let block = { @Sendable [weak queue] in
                if isAtBody { queue?.beginBody() }
                hasBegun.fire()
                mayEnd.wait()
            }
            if isOperation { queue.addOperation(BlockOperation(block: block)) } else { queue.addOperation(block) }
            await hasBegun.wait()
            return (queue, mayEnd)
        }

        @Test func `makes the session wait when it is full`() async {
            let (queue, mayEnd) = await busyQueue(patience: Self.endless, isAtBody: true)
            #expect(await !addsAll(to: queue) { mayEnd.signal() })
        }

        @Test func `makes the session wait when it has not begun`() async {
            let serial = DispatchQueue(label: "serial")
            serial.suspend()
            let queue = DelegateQueue(queue: serial, patience: Self.endless)
            #expect(await !addsAll(to: queue) { serial.resume() })
        }

        @Test func `does not make it wait for long`() async {
            let (queue, mayEnd) = await busyQueue(patience: Self.short, isAtBody: true)
            #expect(await addsAll(to: queue, isPatient: true) { mayEnd.signal() })
        }

        /// An operation that cancels a task needs the thread that would wait here.
        @Test func `does not wait for operations`() async {
            let (queue, mayEnd) = await busyQueue(patience: Self.endless, isOperation: true)
            let isAll = await addsAll(to: queue, alsoAdds: { BlockOperation {} }) { mayEnd.signal() }
            #expect(isAll)
        }

        /// The delegate may need the thread that waits, to start a task.
        @Test func `does not wait for other events for long`() async {
            let (queue, mayEnd) = await busyQueue(patience: Self.endless, eventPatience: Self.short)
            #expect(await addsAll(to: queue, isPatient: true) { mayEnd.signal() })
        }

        /// Each piece of a body is an event, too, for a moment before and after it is handled.
        @Test func `goes on as soon as there is room, and no sooner`() async {
            let (order, most) = await onThread {
                let queue = DelegateQueue(patience: Self.endless, eventPatience: Self.endless)
                let order = Locked<[Int]>([])
                var most = 0
                for number in 0..<5_000 {
                    queue.addOperation { [weak queue] in
                        queue?.beginBody()
                        order.withLock { $0.append(number) }
                    }
                    most = max(most, number + 1 - order.withLock { $0.count })
                }
                queue.waitUntilAllOperationsAreFinished()
                return (order.withLock { $0 }, most)
            }
            #expect(order == Array(0..<5_000))
            #expect(most <= DelegateQueue.capacity)
        }
    }
#endif
