#if canImport(FoundationNetworking)
    internal import Foundation

    /// The serial queue of a session's delegate, which makes the session wait while it is busy with bodies.
    ///
    /// FoundationNetworking puts each piece of a body on the delegate's queue and continues with the next: data that is written
    /// to a file more slowly than it arrives would pile up in memory. The thread that waits here serves all sessions of the
    /// process, and the delegate itself needs it to start or to cancel a task. So it waits only while the delegate handles a
    /// piece of a body, which needs no other thread, and never for long.
    ///
    /// Blocks go to a Dispatch queue, in order: an `OperationQueue` spends some 20,000 instructions on each.
    ///
    /// `@unchecked Sendable` is inherited; the variables are read and written only while `condition` is locked.
    final class DelegateQueue: OperationQueue, @unchecked Sendable {
        /// The maximum number of waiting blocks; a piece of a body has up to 16 KB.
        static let capacity = 32
        private let queue: DispatchQueue
        /// The maximum number of seconds that one block keeps its sender waiting.
        private let patience: TimeInterval
        private let condition = NSCondition()
        private var count = 0
        /// Whether the delegate is handling anything but a piece of a body.
        private var isAtEvent = false
        private var isWaiting = false

        /// - Parameters:
        ///   - queue: A serial queue for exclusive use.
        ///   - patience: The maximum number of seconds that one block keeps its sender waiting.
        init(queue: DispatchQueue = DispatchQueue(label: "Teapot.DelegateQueue"), patience: TimeInterval = 0.1) {
            self.queue = queue
            self.patience = patience
            super.init()
            // For methods that are not overridden here.
            underlyingQueue = queue
            maxConcurrentOperationCount = 1
        }

        /// Adds a block when there is room; FoundationNetworking adds one for each call of the delegate.
        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            condition.withLock {
                let deadline = Date(timeIntervalSinceNow: patience)
                isWaiting = true
                while !isAtEvent, count >= Self.capacity, condition.wait(until: deadline) {}
                isWaiting = false
                count += 1
            }
            queue.async { [self] in perform(block, makesRoom: true) }
        }

        /// Adds an operation, even without room.
        override func addOperation(_ operation: Operation) {
            queue.async { [self] in perform(operation.start, makesRoom: false) }
        }

        /// Whether a sender is waiting for room.
        var isSenderWaiting: Bool { condition.withLock { isWaiting } }

        override func waitUntilAllOperationsAreFinished() {
            queue.sync {}
        }

        private func perform(_ block: () -> Void, makesRoom: Bool) {
            change { $0.isAtEvent = true }
            if let key = Self.key { pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1)) }
            block()
            if let key = Self.key { pthread_setspecific(key, nil) }
            change {
                $0.isAtEvent = false
                if makesRoom { $0.count -= 1 }
            }
        }

        // MARK: - The current thread

        /// Whether the current thread runs, even indirectly, a block of such a queue.
        static var isCurrent: Bool { key.flatMap(pthread_getspecific) != nil }

        /// `nil` if the process has used up its keys, about a thousand.
        private static let key: pthread_key_t? = {
            var key = pthread_key_t()
            return pthread_key_create(&key, nil) == 0 ? key : nil
        }()

        // MARK: - Bodies

        /// The delegate, on this queue, begins to handle a piece of a body.
        func beginBody() { change { $0.isAtEvent = false } }

        /// The delegate has handled the piece.
        func endBody() { change { $0.isAtEvent = true } }

        private func change(_ change: (DelegateQueue) -> Void) {
            condition.withLock {
                change(self)
                condition.broadcast()
            }
        }
    }
#endif
