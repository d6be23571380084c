/// Counts events, and lets tasks wait until a number of them happened: a test waits for the event itself and never sleeps.
final class EventCounter: Sendable {
    private struct State {
        var count = 0
        var isClosed = false
        var waiters: [(count: Int, end: AsyncStream<Void>.Continuation)] = []
    }

    private let state = Monitor(State())

    /// Notes one event.
    func advance() {
        change { $0.count += 1 }
    }

    /// Lets every task go, now and later: no more events will come.
    func close() {
        change { $0.isClosed = true }
    }

    /// Suspends until `count` events happened, the counter was closed, or the task was cancelled.
    func reaches(_ count: Int) async {
        let (moments, end) = AsyncStream.makeStream(of: Void.self)
        change { $0.waiters.append((count, end)) }
        for await _ in moments {}
    }

    private func change(_ body: (inout State) -> Void) {
        let due = state.withLock { state in
            body(&state)
            let (count, isClosed) = (state.count, state.isClosed)
            defer { state.waiters.removeAll { isClosed || $0.count <= count } }
            return state.waiters.filter { isClosed || $0.count <= count }
        }
        for waiter in due { waiter.end.finish() }
    }
}
