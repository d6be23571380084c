import Teapot
import TeapotCurl

/// Answers every request with status 204.
//: WritingATransport 1

/// The samples of the articles "Choosing a transport" and "Writing a transport".
enum TransportSamples {
    static func configured(baseURL: URL) -> Teapot {
        //: ChoosingATransport 2
        return teapot
    }

    static func portable(baseURL: URL) -> Teapot {
        //: ChoosingATransport 1
        return teapot
    }
}

extension TransportSamples {
    static func shared(usersURL: URL, ordersURL: URL, token: String) -> [Teapot] {
        //: Sharing 1
        return [users, orders]
    }
}

/// Stands in front of another transport, and plays a slow network.
//: WritingATransport 2

extension TransportSamples {
    /// Counts bytes.
    final class Counter: Sendable {
        private let sum = Locked(0)
        var value: Int { sum.withLock { $0 } }

        func add(_ count: Int) { sum.withLock { $0 += count } }
    }

    static func slow(baseURL: URL, _ received: Counter) -> Teapot {
        //: WritingATransport 3
        return teapot
    }
}

#if os(Linux)
    /// The samples of TeapotCurl's catalog.
    enum CurlSamples {
        static func configured(baseURL: URL) -> Teapot {
            //: TeapotCurl 2
            return teapot
        }

        static func trust(_ authorities: URL) -> CurlTransport.Configuration {
            var configuration = CurlTransport.Configuration()
            //: TeapotCurl 3
            return configuration
        }

        static func clientCertificate(
            _ certificate: URL,
            _ key: URL,
            _ password: String?
        ) -> CurlTransport.Configuration {
            var configuration = CurlTransport.Configuration()
            //: TeapotCurl 4
            return configuration
        }

        static func pin(_ currentKey: String, _ nextKey: String) -> CurlTransport.Configuration {
            var configuration = CurlTransport.Configuration()
            //: TeapotCurl 5
            return configuration
        }

        static func proxy(_ user: String, _ password: String) -> CurlTransport.Configuration {
            var configuration = CurlTransport.Configuration()
            //: TeapotCurl 6
            return configuration
        }

        static func addresses() -> CurlTransport.Configuration {
            var configuration = CurlTransport.Configuration()
            //: TeapotCurl 7

            //: TeapotCurl 8
            return configuration
        }

        static func limits() -> CurlTransport.Configuration {
            var configuration = CurlTransport.Configuration()
            //: TeapotCurl 9

            //: TeapotCurl 10
            return configuration
        }
    }
#endif
