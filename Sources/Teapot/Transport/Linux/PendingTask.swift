#if canImport(FoundationNetworking)
    internal import TeapotFoundation

    /// A task of `URLSession` that is made later, on another thread.
    final class PendingTask: TransportTask {
        private enum State {
            case waiting
            case starting(isCancelled: Bool)
            case started(SessionTask)
            /// Nothing was started, and nothing will be.
            case over
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
                state = .starting(isCancelled: false)
                return true
            }
            guard isWanted else { return }
            let task = make()
            let isCancelled = state.withLock { state in
                defer { state = .started(task) }
                if case .starting(true) = state { return true }
                return false
            }
            if isCancelled { task.cancel() }
        }

        func cancel() {
            // A thread that waits for a piece of the body must stop waiting.
            body?.stop()
            let before = state.withLock { state in
                defer {
                    switch state {
                    case .waiting: state = .over
                    case .starting: state = .starting(isCancelled: true)
                    case .started, .over: break
                    }
                }
                return state
            }
            switch before {
            // The caller of `cancel` may hold a lock.
            case .waiting: DispatchQueue.global().async { self.receive(.finished(URLError(.cancelled))) }
            case .started(let task): task.cancel()
            case .starting, .over: break
            }
        }
    }
#endif
