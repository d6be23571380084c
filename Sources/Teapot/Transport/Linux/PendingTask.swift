#if canImport(FoundationNetworking)
    import TeapotFoundation

    /// A task of `URLSession` that is made later, on another thread.
    final class PendingTask: TransportTask {
        private enum State {
            case waiting
            case starting
            case started(SessionTask)
            case cancelled
        }

        private let state = Locked(State.waiting)
        private let body: OutgoingBody?
        private let receive: @Sendable (TransportEvent) -> Void

        init(_ body: OutgoingBody?, receive: @escaping @Sendable (TransportEvent) -> Void) {
            (self.body, self.receive) = (body, receive)
        }

        /// Starts the task from `make`, unless this one was cancelled.
        func start(_ make: () -> SessionTask) {
            let isWanted = state.withLock { state in
                guard case .waiting = state else { return false }
                state = .starting
                return true
            }
            guard isWanted else { return }
            let task = make()
            let isCancelled = state.withLock { state in
                if case .cancelled = state { return true }
                state = .started(task)
                return false
            }
            if isCancelled { task.cancel() }
        }

        func cancel() {
            // A thread that waits for a piece of the body must stop waiting.
            body?.stop()
            let before = state.withLock { state in
                defer { state = .cancelled }
                return state
            }
            switch before {
            // The caller of `cancel` may hold a lock.
            case .waiting: DispatchQueue.global().async { self.receive(.finished(URLError(.cancelled))) }
            case .started(let task): task.cancel()
            case .starting, .cancelled: break
            }
        }
    }
#endif
