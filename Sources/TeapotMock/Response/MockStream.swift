import Teapot

/// A response that is sent piece by piece, on the mock's clock.
final class MockStream: TransportTask {
    /// Events, and the delay before them.
    struct Step: Sendable {
        let delay: Duration
        let events: [TransportEvent]
    }

    private enum State {
        /// Waiting for the step with this number.
        case waiting(for: Int, ScheduledTimer?)
        case reporting(isCancelled: Bool)
        case over
    }

    private let steps: [Step]
    private let time: any TimeSource
    private let receive: @Sendable (TransportEvent) -> Void
    private let state = Locked(State.waiting(for: 0, nil))

    /// Makes an answer; the last step ends the exchange.
    init(_ steps: [Step], _ time: any TimeSource, _ receive: @escaping @Sendable (TransportEvent) -> Void) {
        (self.steps, self.time, self.receive) = (steps, time, receive)
    }

    func start() { goOn(with: 0) }

    private func goOn(with first: Int) {
        for number in first..<max(first, steps.count) {
            guard steps[number].delay <= .zero else { return wait(for: number) }
            guard report(number) else { return }
        }
    }

    private func wait(for number: Int) {
        let timer = time.timer(at: time.elapsed + steps[number].delay) {
            if self.report(number) { self.goOn(with: number + 1) }
        }
        // It may have fired already, or the answer was cancelled.
        let isWaiting = state.withLock { state in
            guard case .waiting(number, nil) = state else { return false }
            state = .waiting(for: number, timer)
            return true
        }
        if !isWaiting { timer.cancel() }
    }

    /// Reports a step.
    ///
    /// - Returns: Whether there is more.
    private func report(_ number: Int) -> Bool {
        let begins = state.withLock { state in
            guard case .waiting(number, _) = state else { return false }
            state = .reporting(isCancelled: false)
            return true
        }
        guard begins else { return false }
        steps[number].events.forEach(receive)
        let (isLast, isCancelled) = state.withLock { state in
            let isLast = number == steps.count - 1
            guard case .reporting(let isCancelled) = state else { return (isLast, false) }
            state = isLast || isCancelled ? .over : .waiting(for: number + 1, nil)
            return (isLast, isCancelled)
        }
        if isCancelled, !isLast { receive(.finished(URLError(.cancelled))) }
        return !isLast && !isCancelled
    }

    func cancel() {
        let (timer, isOver): (ScheduledTimer?, Bool) = state.withLock { state in
            switch state {
            case .waiting(_, let timer):
                state = .over
                return (timer, true)
            case .reporting:
                state = .reporting(isCancelled: true)
                return (nil, false)
            case .over: return (nil, false)
            }
        }
        timer?.cancel()
        if isOver { receive(.finished(URLError(.cancelled))) }
    }
}
