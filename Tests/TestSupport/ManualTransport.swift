package import Teapot

/// A transport that does what a test tells it to, when the test tells it to.
package final class ManualTransport: Transport {
    /// One exchange that Teapot started.
    package final class Hop: TransportTask {
        package let request: URLRequest
        package let bodyFile: URL?
        private let receive: @Sendable (TransportEvent) -> Void
        private let cancellations = Locked(0)
        private let flow = Locked<[Bool]>([])

        init(_ request: URLRequest, bodyFile: URL?, receive: @escaping @Sendable (TransportEvent) -> Void) {
            self.request = request
            self.bodyFile = bodyFile
            self.receive = receive
        }

        package func cancel() { cancellations.withLock { $0 += 1 } }
        package var isCancelled: Bool { cancellations.withLock { $0 > 0 } }

        /// Fired when Teapot first asks to hold back: it may do so a little after `start` has returned.
        package let paused = Signal()

        package func suspend() {
            flow.withLock { $0.append(false) }
            paused.fire()
        }
        package func resume() { flow.withLock { $0.append(true) } }
        /// Teapot's requests to hold back (`false`) and to continue (`true`), in order.
        package var flowChanges: [Bool] { flow.withLock { $0 } }

        /// Reports an event, on the calling thread.
        package func report(_ event: TransportEvent) { receive(event) }

        /// Reports a response without ending the exchange.
        package func respond(_ status: Int, headers: [String: String] = [:]) {
            guard let url = request.url,
                let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: headers)
            else { return report(.finished(URLError(.badURL))) }
            report(.response(response))
        }

        /// Reports a whole response.
        package func answer(_ status: Int, headers: [String: String] = [:], body: String = "") {
            respond(status, headers: headers)
            if !body.isEmpty { report(.data(Data(body.utf8))) }
            report(.finished(nil))
        }
    }

    private struct State {
        var hops: [Hop] = []
        /// The threads on which `atOnce` is at work.
        var busy: [pthread_t] = []
    }

    private let state = Locked(State())
    private let atOnce: @Sendable (Hop) -> Void

    /// - Parameter atOnce: Called with each exchange before `start` returns.
    package init(atOnce: @escaping @Sendable (Hop) -> Void = { _ in }) {
        self.atOnce = atOnce
    }

    package func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        let hop = Hop(request.urlRequest, bodyFile: request.bodyFile, receive: receive)
        let thread = pthread_self()
        state.withLock { state in
            state.hops.append(hop)
            state.busy.append(thread)
        }
        atOnce(hop)
        state.withLock { state in
            if let index = state.busy.lastIndex(of: thread) { state.busy.remove(at: index) }
        }
        return hop
    }

    /// The exchanges that were started, in order. Teapot starts one before the verb returns. Another thread than that of
    /// `atOnce` sees an exchange when everything that is reported at once was reported.
    package var hops: [Hop] {
        let thread = pthread_self()
        while true {
            let hops = state.withLock { state in
                state.busy.isEmpty || state.busy.contains(thread) ? state.hops : nil
            }
            if let hops { return hops }
            sched_yield()
        }
    }
}
