#if canImport(FoundationNetworking)
    import TeapotFoundation

    /// A task of `URLSession` that is made later: when there is a connection for it, and on another thread.
    final class PendingTask: TransportTask {
        private enum State {
            /// In line for a connection; `nil` before it has a place.
            case queued(place: Int?)
            /// Its body is being read, or it waits for the queue that makes tasks.
            case reading
            /// An event is being reported, or the task made: the thread that does that sees a cancellation afterwards.
            case starting
            case started(SessionTask)
            case cancelled
        }

        let origin: Origin
        let body: OutgoingBody?
        private let request: URLRequest
        private let transport: LinuxTransport
        private let receive: @Sendable (TransportEvent) -> Void
        private let start = DispatchTimer().elapsed
        private let state = Locked(State.queued(place: nil))

        init(
            _ request: URLRequest,
            _ origin: Origin,
            _ body: OutgoingBody?,
            _ transport: LinuxTransport,
            receive: @escaping @Sendable (TransportEvent) -> Void
        ) {
            self.request = request
            self.origin = origin
            self.body = body
            self.transport = transport
            self.receive = receive
        }

        /// Takes its place in line. If it was cancelled before, or has left the line already, it gives the place up.
        func queue(at place: Int) {
            let isWaiting = state.withLock { state in
                guard case .queued = state else { return false }
                state = .queued(place: place)
                return true
            }
            if !isWaiting { transport.leaveLine(place, of: self) }
        }

        @inline(never) private func advance(to next: State) -> Bool {
            state.withLock { state in
                if case .cancelled = state { return false }
                state = next
                return true
            }
        }

        /// There is a connection for it: reads the first pieces of its body, and has the task made, unless it was cancelled.
        func begin(afterWaiting hasWaited: Bool) {
            guard advance(to: .starting) else { return transport.end(origin) }
            if hasWaited {
                var timings = Teapot.Timings()
                timings.queued = DispatchTimer().elapsed - start
                receive(.measured(timings))
            }
            // The receiver may have cancelled it.
            guard advance(to: .reading) else {
                transport.end(origin)
                return reportCancelled()
            }
            let make = { @Sendable in LinuxTransport.startQueue.async { self.make() } }
            if let body { body.readAhead(make) } else { make() }
        }

        private func make() {
            guard advance(to: .starting) else { return }
            let task = transport.startNow(request, origin, body, receive)
            // A cancellation while the task was being made did not see it, and left it to this thread.
            if !advance(to: .started(task)) { task.cancel() }
        }

        func cancel() {
            // The thread that serves all sessions may wait for a piece of the body, and the cancellation needs that thread.
            body?.stop()
            let before = state.withLock { state in
                defer { state = .cancelled }
                return state
            }
            switch before {
            case .queued(let place):
                if let place { transport.leaveLine(place, of: self) }
                reportCancelled()
            case .reading:
                transport.end(origin)
                reportCancelled()
            case .started(let task): task.cancel()
            case .starting, .cancelled: break
            }
        }

        private func reportCancelled() {
            // The caller of `cancel` may hold a lock.
            DispatchQueue.runApart { self.receive(.finished(URLError(.cancelled))) }
        }
    }
#endif
