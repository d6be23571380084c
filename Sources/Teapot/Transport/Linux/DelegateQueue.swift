#if canImport(FoundationNetworking)
    import Foundation

    /// The serial queue of a session's delegate, which makes the session wait while it is busy with bodies.
    ///
    /// FoundationNetworking puts each piece of a body on the delegate's queue and continues with the next, so data that is written to a
    /// file more slowly than it arrives would pile up in memory. The thread that waits here serves all sessions of the process, and the
    /// delegate itself needs it to start or to cancel a task. So it waits for pieces of a body, and only a moment for other events.
    ///
    /// Blocks go to a Dispatch queue: an `OperationQueue` spends some 20,000 instructions on each. `@unchecked Sendable` is inherited; the
    /// variables are read and written only while `condition` is locked.
    final class DelegateQueue: OperationQueue, @unchecked Sendable {
        /// The maximum number of waiting blocks; a piece of a body has up to 16 KB.
        static let capacity = 32
        private let queue: DispatchQueue
        /// The maximum number of seconds that one block keeps its sender waiting.
        private let patience: TimeInterval
        /// The maximum number of seconds that a sender waits for one event.
        private let eventPatience: TimeInterval
        private let condition = Condition()
        private var count = 0
        /// The time at which a sender stops waiting for the event that the delegate handles; `nil` for a piece of a body.
        private var eventDeadline: DispatchTime?
        private var isWaiting = false

        init(
            queue: DispatchQueue = DispatchQueue(label: "Teapot.DelegateQueue"),
            patience: TimeInterval = 0.1,
            eventPatience: TimeInterval = 0.01
        ) {
            self.queue = queue
            self.patience = patience
            self.eventPatience = eventPatience
            super.init()
            // For methods that are not overridden here.
            underlyingQueue = queue
            maxConcurrentOperationCount = 1
        }

        /// Adds a block when there is room; FoundationNetworking adds one for each call of the delegate.
        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            condition.withLock {
                let deadline = DispatchTime.now() + patience
                isWaiting = true
                while count >= Self.capacity {
                    let limit = min(deadline, eventDeadline ?? deadline)
                    if limit <= .now() { break }
                    condition.wait(until: limit)
                }
                isWaiting = false
                count += 1
            }
            queue.async { [self] in perform(block, eventDeadline: .now() + eventPatience, makesRoom: true) }
        }

        /// Adds an operation, even without room, and does not wait: cancelling a task needs the sender's thread.
        override func addOperation(_ operation: Operation) {
            queue.async { [self] in perform(operation.start, eventDeadline: .now(), makesRoom: false) }
        }

        var isSenderWaiting: Bool { condition.withLock { isWaiting } }

        override func waitUntilAllOperationsAreFinished() { queue.sync {} }

        private func perform(_ block: () -> Void, eventDeadline: DispatchTime, makesRoom: Bool) {
            change { $0.eventDeadline = eventDeadline }
            block()
            change {
                $0.eventDeadline = nil
                if makesRoom { $0.count -= 1 }
            }
        }

        /// The delegate, on this queue, begins to handle a piece of a body.
        func beginBody() { change { $0.eventDeadline = nil } }

        private func change(_ change: (DelegateQueue) -> Void) {
            condition.withLock {
                change(self)
                condition.broadcast()
            }
        }
    }
#endif
