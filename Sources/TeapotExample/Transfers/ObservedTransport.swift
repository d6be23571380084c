import Teapot

/// The default transport, which also reports when a response begins: a download returns it only at its end.
struct ObservedTransport: Transport {
    private let transport = URLSessionTransport()
    let observe: @Sendable (HTTPURLResponse) -> Void

    init(_ observe: @escaping @Sendable (HTTPURLResponse) -> Void) {
        self.observe = observe
    }

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        transport.start(request) { event in
            if let response = event.response { observe(response) }
            receive(event)
        }
    }
}
