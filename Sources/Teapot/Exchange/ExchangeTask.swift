internal import TeapotFoundation

#if canImport(FoundationNetworking)
    /// The task that callers hold: it stands in front of the exchange, whose hops have tasks of their own.
    ///
    /// FoundationNetworking's task ends the process when it is suspended and resumed; this one never touches it. While it is
    /// suspended the timeout stands still, no redirect is followed and no result delivered; what the server sends is
    /// still taken in.
    final class ExchangeTask: URLSessionTask, @unchecked Sendable {
        // `@unchecked` is inherited; both properties are constants of Sendable type.
        private let exchange: Exchange
        private let identifier: Int

        private static let lastIdentifier = Locked(0)

        static func make(for exchange: Exchange) -> URLSessionTask? {
            ExchangeTask(exchange)
        }

        /// Whether callers hold a task of this kind.
        static let isAvailable = true

        /// Whether an error of the transport means that the caller has cancelled its own task; here the exchange knows first.
        static func isCancellation(_ error: any Error) -> Bool { false }

        private init(_ exchange: Exchange) {
            self.exchange = exchange
            identifier = Self.lastIdentifier.withLock { last in
                last += 1
                return last
            }
        }

        override func suspend() { exchange.suspend() }
        override func resume() { exchange.resume() }
        override func cancel() { exchange.cancel() }

        override var taskIdentifier: Int { identifier }
        override var state: URLSessionTask.State {
            get { exchange.snapshot.state }
            // The superclass sets it from its own methods, all of which are overridden.
            set { _ = newValue }
        }
        override var originalRequest: URLRequest? { exchange.snapshot.originalRequest }
        override var currentRequest: URLRequest? {
            get { exchange.snapshot.currentRequest }
            set { _ = newValue }
        }
        override var response: URLResponse? { exchange.snapshot.response }
        override var error: (any Error)? {
            let snapshot = exchange.snapshot
            return snapshot.state == .canceling ? TeapotError.cancelled() : snapshot.error
        }
        override var countOfBytesSent: Int64 { Int64(exchange.snapshot.bytesSent) }
        override var countOfBytesExpectedToSend: Int64 {
            Int64(exchange.snapshot.bytesExpectedToSend)
        }
        override var countOfBytesReceived: Int64 { Int64(exchange.snapshot.bytesReceived) }
        override var countOfBytesExpectedToReceive: Int64 { exchange.snapshot.response?.expectedContentLength ?? 0 }
    }
#else
    /// Callers on Apple's platforms hold the transport's own task: that of the first hop.
    enum ExchangeTask {
        static let isAvailable = false

        static func isCancellation(_ error: any Error) -> Bool {
            (error as? URLError)?.code == .cancelled
        }

        static func make(for exchange: Exchange) -> URLSessionTask? {
            exchange.firstTask
        }
    }
#endif
