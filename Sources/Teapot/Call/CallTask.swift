import TeapotFoundation

#if canImport(FoundationNetworking)
    /// The task that callers hold. It stands in front of the call, whose exchanges have tasks of their own.
    ///
    /// FoundationNetworking's task ends the process when it is suspended and resumed; this one never touches it. While it is
    /// suspended, the timeout is paused, no redirect is followed and no result is delivered; incoming data is still received.
    final class CallTask: URLSessionTask, @unchecked Sendable {
        // `@unchecked` is inherited; both properties are constants of Sendable type.
        private let call: Call
        private let identifier: Int

        private static let lastIdentifier = Locked(0)

        static func make(for call: Call) -> URLSessionTask? { CallTask(call) }

        /// Whether callers hold a task of this kind.
        static let isAvailable = true

        private init(_ call: Call) {
            self.call = call
            identifier = Self.lastIdentifier.withLock { last in
                last += 1
                return last
            }
        }

        override func suspend() { call.suspend() }
        override func resume() { call.resume() }
        override func cancel() { call.cancel() }

        override var taskIdentifier: Int { identifier }
        override var state: URLSessionTask.State {
            get { call.state.withLock { $0.isOver ? .completed : $0.isSuspended ? .suspended : .running } }
            // The superclass sets it from its own methods, all of which are overridden.
            set { _ = newValue }
        }
        override var originalRequest: URLRequest? { call.state.withLock { $0.originalRequest } }
        override var currentRequest: URLRequest? {
            get { call.latest?.request }
            set { _ = newValue }
        }
        override var response: URLResponse? { call.latest?.response?.http }
        override var error: (any Error)? { call.isCancelled ? URLError(.cancelled) : call.state.withLock { $0.error } }
        override var countOfBytesSent: Int64 { Int64(call.latest?.bytesSent ?? 0) }
        override var countOfBytesExpectedToSend: Int64 {
            call.latest?.bodySize.map(Int64.init) ?? (call.latest == nil ? 0 : -1)
        }
        override var countOfBytesReceived: Int64 { Int64(call.latest?.bytesReceived ?? 0) }
        override var countOfBytesExpectedToReceive: Int64 { response?.expectedContentLength ?? 0 }
    }
#else
    /// Callers on Apple's platforms hold the transport's own task: that of the first exchange.
    enum CallTask {
        static let isAvailable = false

        static func make(for call: Call) -> URLSessionTask? { call.latest?.urlSessionTask }
    }
#endif
