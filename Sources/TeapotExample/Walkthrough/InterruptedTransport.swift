import Teapot

/// A transport that loses its connection after so many bytes of a body: what a transport of your own may look like.
final class InterruptedTransport: Transport {
    private let transport = URLSessionTransport()
    private let limit: Int

    /// - Parameter limit: How many bytes of a body come.
    init(after limit: Int) {
        self.limit = limit
    }

    func start(
        _ request: URLRequest,
        bodyFile: URL?,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        let received = Locked(0)
        return transport.start(request, bodyFile: bodyFile) { [limit] event in
            guard case .data(let data) = event else { return receive(event) }
            let rest = received.withLock { received in
                defer { received += data.count }
                return limit - received
            }
            // What comes after the end is not looked at.
            if rest > 0 { receive(.data(data.prefix(rest))) }
            if data.count >= rest { receive(.finished(URLError(.networkConnectionLost))) }
        }
    }
}
