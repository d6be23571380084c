import Teapot

/// A response whose events come at their times.
final class MockStream: TransportTask {
    private enum State {
        /// The step with this number is next.
        case waiting(for: Int)
        /// A thread reports a step. If another one cancels meanwhile, the first reports the end, after the events of the step.
        case reporting(isCancelled: Bool)
        case over
    }

    /// The events of each step. If the last one does not end the exchange, only cancelling it does.
    private let steps: [[TransportEvent]]
    private let receive: @Sendable (TransportEvent) -> Void
    private let state = Locked(State.waiting(for: 0))

    init(_ steps: [[TransportEvent]], _ receive: @escaping @Sendable (TransportEvent) -> Void) {
        self.steps = steps
        self.receive = receive
    }

    func reportNext() {
        let number: Int? = state.withLock { state in
            guard case .waiting(let number) = state, steps.indices.contains(number) else { return nil }
            state = .reporting(isCancelled: false)
            return number
        }
        guard let number else { return }
        steps[number].forEach(receive)
        let isLast = steps[number].last?.isFinished == true
        let isCancelled = state.withLock { state in
            guard case .reporting(let isCancelled) = state else { return false }
            state = isLast || isCancelled ? .over : .waiting(for: number + 1)
            return isCancelled
        }
        if isCancelled, !isLast { receive(.finished(URLError(.cancelled))) }
    }

    func cancel() {
        let isOver = state.withLock { state in
            if case .reporting = state { state = .reporting(isCancelled: true) }
            guard case .waiting = state else { return false }
            state = .over
            return true
        }
        if isOver { receive(.finished(URLError(.cancelled))) }
    }
}
