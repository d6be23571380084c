#if os(Linux)
    import Teapot

    /// Passes the pieces of a body from the task that reads them to the thread of the engine, one at a time.
    final class BodyFeed: Sendable {
        /// The next piece for libcurl.
        enum Next {
            case bytes(Data)
            /// A wake-up follows.
            case wait
            case end
            case failure(any Error)
        }

        private struct State {
            /// The rest of the current piece.
            var piece = Data()
            /// Resumes the task, which waits until libcurl has taken the piece.
            var goOn: (@Sendable () -> Void)?
            var end: Next?
        }

        private let state = Locked(State())
        private let task: Task<Void, Never>

        /// Begins to read. `wake` is called for each piece, and at the end.
        init(_ pieces: Teapot.Request.Body.Pieces, wake: @escaping @Sendable () -> Void) {
            let state = state
            task = Task {
                var end = Next.end
                do {
                    try await pieces.forEach { piece in
                        await withCheckedContinuation { reader in
                            // `stop` may come between two pieces, and then nobody takes this piece.
                            let isStopped = state.withLock { state in
                                if state.end == nil { (state.piece, state.goOn) = (piece, { reader.resume() }) }
                                return state.end != nil
                            }
                            if isStopped { reader.resume() } else { wake() }
                        }
                    }
                } catch {
                    end = .failure(error)
                }
                // `stop` may have set another end before the sequence ended.
                state.withLock { [end] in if $0.end == nil { $0.end = end } }
                wake()
            }
        }

        func next(upTo length: Int) -> Next {
            let (next, goOn): (Next, (@Sendable () -> Void)?) = state.withLock { state in
                guard !state.piece.isEmpty else { return (state.end ?? .wait, nil) }
                let bytes = state.piece.prefix(length)
                state.piece = state.piece.dropFirst(length)
                return (.bytes(bytes), state.piece.isEmpty ? state.goOn.take() : nil)
            }
            goOn?()
            return next
        }

        /// Ends the reading: nobody takes the rest.
        func stop() {
            task.cancel()
            state.withLock { state in
                state.piece = Data()
                state.end = .end
                return state.goOn.take()
            }?()
        }
    }
#endif
