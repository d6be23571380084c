#if os(Linux)
    import Teapot
    @testable import TeapotCurl
    import Testing

    extension CurlEngine {
        /// One whose thread does nothing.
        static func idle() throws -> CurlEngine {
            let engine = try CurlEngine(CurlTransport.Configuration(), CurlLibrary.current.get())
            engine.stop()
            return engine
        }
    }

    extension CurlExchange {
        /// One that nobody starts.
        static func idle(
            _ url: String = "https://tea.example",
            of engine: CurlEngine? = nil,
            _ change: (inout TransportRequest) -> Void = { _ in }
        ) throws -> CurlExchange {
            var request = TransportRequest(URLRequest(url: try #require(URL(string: url))))
            change(&request)
            return try CurlExchange(request, engine ?? .idle()) { _ in }
        }
    }
#endif
