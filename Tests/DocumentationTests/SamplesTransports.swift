import Teapot
import TeapotCurl

#if os(Linux)
    /// The samples of the article "Choosing a transport" and of TeapotCurl's catalog.
    enum TransportSamples {
        static func curl(baseURL: URL) -> Teapot {
            let teapot = Teapot(baseURL: baseURL, transport: CurlTransport())
            return teapot
        }

        static func shared(usersURL: URL, ordersURL: URL, token: String) -> [Teapot] {
            let transport = CurlTransport()
            let users = Teapot(baseURL: usersURL, transport: transport)
            let orders = Teapot(baseURL: ordersURL, transport: transport)
            orders.plugins = [Credential.bearer(token)]
            return [users, orders]
        }

        static func configured(baseURL: URL, authorities: URL) -> Teapot {
            var configuration = CurlTransport.Configuration()
            configuration.certificateAuthorities = .file(authorities)
            configuration.connectTimeout = .seconds(5)
            let teapot = Teapot(baseURL: baseURL, transport: CurlTransport(configuration: configuration))
            return teapot
        }
    }

    /// Stands in front of another transport, and plays a slow network.
    struct SlowTransport: Transport {
        let base: any Transport
        let delay: Duration
        let count: @Sendable (Int) -> Void

        func start(
            _ request: TransportRequest,
            receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> (any TransportTask)? {
            var request = request
            request.urlRequest.setValue("slow", forHTTPHeaderField: "X-Network")
            let (events, continuation) = AsyncStream.makeStream(of: TransportEvent.self)
            Task {
                for await event in events {
                    try? await Task.sleep(for: delay)
                    count(event.data?.count ?? 0)
                    receive(event)
                }
            }
            return base.start(request) { event in
                continuation.yield(event)
                if event.isFinished { continuation.finish() }
            }
        }

        var forBlockingCaller: any Transport {
            SlowTransport(base: base.forBlockingCaller, delay: delay, count: count)
        }
    }

    extension TransportSamples {
        /// Counts bytes.
        final class Counter: Sendable {
            private let sum = Locked(0)
            var value: Int { sum.withLock { $0 } }

            func add(_ count: Int) { sum.withLock { $0 += count } }
        }

        static func slow(baseURL: URL, _ received: Counter) -> Teapot {
            let slow = SlowTransport(base: CurlTransport(), delay: .milliseconds(300)) { received.add($0) }
            let teapot = Teapot(baseURL: baseURL, transport: slow)
            return teapot
        }
    }
#endif
