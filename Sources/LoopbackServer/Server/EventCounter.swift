/// Counts events, and lets tasks wait until a number of them happened: a test waits for the event itself and never sleeps.
final class EventCounter: Sendable {
    private struct Waiter {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var count = 0
        var isClosed = false
        var lastID = 0
        var waiters: [Int: Waiter] = [:]
        var cancelled: Set<Int> = []

        mutating func takeWaiters(where isDue: (Waiter) -> Bool) -> [Waiter] {
            guard !waiters.isEmpty else { return [] }
            let due = waiters.filter { isDue($0.value) }
            due.keys.forEach { waiters[$0] = nil }
            return Array(due.values)
        }
    }

    private let state = Locked(State())

    /// Notes one event.
    func advance() {
        let due = state.withLock { state in
            state.count += 1
            let count = state.count
            return state.takeWaiters { $0.count <= count }
        }
        due.forEach { $0.continuation.resume() }
    }

    /// Lets every task go, now and later: no more events will come.
    func close() {
        let due = state.withLock { state in
            state.isClosed = true
            return state.takeWaiters { _ in true }
        }
        due.forEach { $0.continuation.resume() }
    }

    /// Suspends until `count` events happened, the counter was closed, or the task was cancelled.
    func reaches(_ count: Int) async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    let wasCancelled = state.cancelled.remove(id) != nil
                    if wasCancelled || state.isClosed || state.count >= count { return true }
                    state.waiters[id] = Waiter(count: count, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.waiters.removeValue(forKey: id)
                if waiter == nil { state.cancelled.insert(id) }
                return waiter
            }
            waiter?.continuation.resume()
        }
        // A cancellation that came after the waiting was over left its mark.
        state.withLock { _ = $0.cancelled.remove(id) }
    }
}
