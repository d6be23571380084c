import Teapot

/// Stands before the transport that is checked, for the one exchange of a `Teapot`, and takes its events, too.
final class WatchedTransport: Transport {
    let exchange: CheckedExchange
    private let transport: any Transport
    private let start = Locked<(hasReturned: Bool, action: (@Sendable () -> Void)?)>((false, nil))

    init(_ trial: TransportTrial, for request: Teapot.Request) {
        transport = trial.transport
        exchange = CheckedExchange(trial.checked(request), limit: trial.limit)
    }

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        let task = transport.start(request) { [exchange] event in
            exchange.receive(event)
            receive(event)
        }
        let action = start.withLock { start in
            start.hasReturned = true
            return start.action
        }
        action.map(Thread.detachNewThread)
        return task
    }

    /// Does something on a thread of its own once the exchange has started.
    func afterStart(_ action: @escaping @Sendable () -> Void) {
        let hasReturned = start.withLock { start in
            start.action = action
            return start.hasReturned
        }
        if hasReturned { Thread.detachNewThread(action) }
    }
}
