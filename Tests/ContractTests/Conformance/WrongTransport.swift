import Teapot

/// A transport that would be right, were it not for how it begins an exchange.
struct WrongTransport: Transport {
    typealias Receive = @Sendable (TransportEvent) -> Void
    /// Gets the transport that is right, the request, and what takes the events.
    typealias Begin = @Sendable (any Transport, TransportRequest, @escaping Receive) -> (any TransportTask)?

    let begin: Begin
    private let base = URLSessionTransport()

    init(_ begin: @escaping Begin) {
        self.begin = begin
    }

    func start(_ request: TransportRequest, receive: @escaping Receive) -> (any TransportTask)? {
        begin(base, request, receive)
    }
}

/// A task that does what it is told to.
struct WrongTask: TransportTask {
    var onCancel: @Sendable () -> Void = {}
    var onSuspend: @Sendable () -> Void = {}

    func cancel() { onCancel() }
    func suspend() { onSuspend() }
}
