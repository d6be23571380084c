import Teapot
import TeapotCurl

#if os(Linux)
    /// The samples of the article "Choosing a transport" and of TeapotCurl's catalog.
    enum TransportSamples {
        static func curl(baseURL: URL) -> Teapot {
            //: ChoosingATransport 1
            return teapot
        }

        static func shared(usersURL: URL, ordersURL: URL, token: String) -> [Teapot] {
            //: ChoosingATransport 2
            return [users, orders]
        }

        static func configured(baseURL: URL, authorities: URL) -> Teapot {
            //: TeapotCurl 2
            return teapot
        }
    }

    /// Stands in front of another transport, and plays a slow network.
    //: ChoosingATransport 3

    extension TransportSamples {
        /// Counts bytes.
        final class Counter: Sendable {
            private let sum = Locked(0)
            var value: Int { sum.withLock { $0 } }

            func add(_ count: Int) { sum.withLock { $0 += count } }
        }

        static func slow(baseURL: URL, _ received: Counter) -> Teapot {
            //: ChoosingATransport 4
            return teapot
        }
    }
#endif
