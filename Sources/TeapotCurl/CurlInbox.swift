#if os(Linux)
    import CLibcurl
    import Teapot

    /// The requests of other threads to the thread of an engine, which they wake up.
    ///
    /// `@unchecked Sendable` is sound: the requests are locked, and any thread may wake up `multi`.
    final class CurlInbox: @unchecked Sendable {
        struct Requests {
            var started: [CurlExchange] = []
            var cancelled: [CurlExchange] = []
            var resumed: [CurlExchange] = []
            /// Whether the transport is gone.
            var isStopped = false

            fileprivate var isEmpty: Bool { started.isEmpty && cancelled.isEmpty && resumed.isEmpty }
        }

        private struct State {
            var requests = Requests()
            /// Whether the thread waits for the network, or is about to. The thread sets this in the same step in which it finds the inbox
            /// empty, so another thread that posts afterwards knows that it has to wake it up.
            var isAsleep = false
            /// The number of threads that use `multi`: the engine's, and those that are waking it up. The last of them frees `multi`.
            var userCount = 1
            /// Whether the thread has ended: nothing is under way, and nothing will be. A task that its caller keeps may still be
            /// cancelled or resumed afterwards.
            var hasEnded = false
        }

        private let multi: OpaquePointer
        private let state = Locked(State())

        init(_ multi: OpaquePointer) { self.multi = multi }

        // MARK: - On any thread

        func post(_ change: (inout Requests) -> Void) {
            let isAsleep = state.withLock { state in
                guard !state.hasEnded else { return false }
                change(&state.requests)
                defer { state.isAsleep = false }
                if state.isAsleep { state.userCount += 1 }
                return state.isAsleep
            }
            guard isAsleep else { return }
            // Not under the lock, for which the thread would have to wait at once. The thread may have ended by now.
            clibcurl_multi_wakeup(multi)
            leave()
        }

        /// The calling thread does not use `multi` any more.
        func leave() {
            let isLast = state.withLock { state in
                state.userCount -= 1
                return state.userCount == 0
            }
            if isLast { clibcurl_multi_free(multi) }
        }

        // MARK: - On the thread

        var isEmpty: Bool { state.withLock(\.requests.isEmpty) }

        /// Takes all requests.
        /// - Parameter isIdle: Whether nothing is under way.
        /// - Returns: The requests; `nil` if the thread ends.
        func take(isIdle: Bool) -> Requests? {
            state.withLock { state in
                state.isAsleep = false
                state.hasEnded = state.requests.isStopped && state.requests.isEmpty && isIdle
                defer { state.requests = Requests(isStopped: state.requests.isStopped) }
                return state.hasEnded ? nil : state.requests
            }
        }

        /// - Parameter isIdle: Whether nothing is under way.
        /// - Returns: Whether the thread should wait for the network, which it does next.
        func goesToSleep(isIdle: Bool) -> Bool {
            state.withLock { state in
                state.isAsleep = state.requests.isEmpty && !(state.requests.isStopped && isIdle)
                return state.isAsleep
            }
        }
    }
#endif
