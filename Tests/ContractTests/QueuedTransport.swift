import Teapot

/// A transport as users write them: it stands before another one, and hands its events on, each exchange on a queue of its
/// own.
struct QueuedTransport: Transport {
    private let base = URLSessionTransport()

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        let queue = DispatchQueue(label: "QueuedTransport")
        return base.start(request) { event in
            queue.async { receive(event) }
        }
    }
}
