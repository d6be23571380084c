import Teapot
import TeapotCurl

#if os(Linux)
    /// The samples of the article "Choosing a transport" and of TeapotCurl's catalog.
    enum TransportSamples {
        static func curl(baseURL: URL) -> Teapot {
            let teapot = Teapot(baseURL: baseURL, transport: CurlTransport())
            return teapot
        }

        static func configured(baseURL: URL, authorities: URL) -> Teapot {
            var configuration = CurlTransport.Configuration()
            configuration.certificateAuthorities = .file(authorities)
            configuration.connectTimeout = .seconds(5)
            let teapot = Teapot(baseURL: baseURL, transport: CurlTransport(configuration: configuration))
            return teapot
        }
    }
#endif
