import Teapot

/// A custom transport, which loses its connection after a number of bytes of a body.
final class InterruptedTransport: Transport {
    private let transport = URLSessionTransport()
    private let limit: Int

    /// - Parameter limit: The number of bytes of a body that arrive.
    init(after limit: Int) {
        self.limit = limit
    }

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        let received = Locked(0)
        return transport.start(request) { [limit] event in
            guard let data = event.data else { return receive(event) }
            let rest = received.withLock { received in
                defer { received += data.count }
                return limit - received
            }
            // Events after the end are ignored.
            if rest > 0 { receive(.data(data.prefix(rest))) }
            if data.count >= rest { receive(.finished(URLError(.networkConnectionLost))) }
        }
    }
}
