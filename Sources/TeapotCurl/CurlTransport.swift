#if os(Linux)
    public import Teapot

    /// A transport over libcurl, whose process no server can end. "Choosing a transport" in Teapot's documentation compares it with `URLSession`.
    ///
    /// ```swift
    /// let teapot = Teapot(baseURL: baseURL, transport: CurlTransport())
    /// ```
    ///
    /// It uses the libcurl that FoundationNetworking has loaded into the process already, from 7.68 on, and nothing is linked or
    /// installed for it. Where there is none, or an older one, every call fails with `noResponse`, whose reason says what was
    /// looked for and what was found; ``version`` says what there is.
    ///
    /// One thread does all the work. It begins with the first exchange, waits without using the processor, and ends with the
    /// transport, which is when the last exchange is over. Events come on that thread, as do plugins, so that a plugin that waits
    /// holds up every exchange of the transport.
    public final class CurlTransport: Transport, InformedTransport {
        private let configuration: Configuration
        private let library: Result<CurlLibrary, URLError>
        private let engine = Locked<CurlEngine?>(nil)

        /// Makes a transport.
        public convenience init(configuration: Configuration = Configuration()) {
            self.init(configuration: configuration, library: CurlLibrary.current)
        }

        package init(configuration: Configuration = Configuration(), library: Result<CurlLibrary, URLError>) {
            (self.configuration, self.library) = (configuration, library)
        }

        deinit {
            engine.withLock { $0 }?.stop()
        }

        private var startedEngine: CurlEngine {
            get throws(URLError) {
                try engine.withLock { (engine) throws(URLError) in
                    if let engine { return engine }
                    let started = try CurlEngine(configuration, library.get())
                    engine = started
                    return started
                }
            }
        }

        /// Starts one exchange. Events come on the transport's thread.
        public func start(
            _ request: URLRequest,
            bodyFile: URL?,
            receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> any TransportTask {
            start(uninformed: request, bodyFile: bodyFile, receive: receive)
        }

        package func start(
            _ request: URLRequest,
            _ details: ExchangeDetails,
            receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> StartedExchange {
            do {
                guard let url = request.url, let origin = Origin(url) else {
                    throw URLError.curl(.unsupportedURL, "the URL is not an http or https URL with a host")
                }
                var body = request.httpBody.flatMap { $0.isEmpty ? nil : CurlExchange.Body.data($0) }
                if let file = details.bodyFile { body = .file(file) }
                let engine = try startedEngine
                let exchange = CurlExchange(
                    request,
                    url,
                    origin,
                    body,
                    isRepeatable: details.isIdempotent,
                    engine: engine,
                    receive: receive
                )
                engine.start(exchange)
                return .underWay(exchange)
            } catch {
                receive(.finished(error))
                return .over
            }
        }

        /// Itself, but where events of such a transport come, one like it: its own events would wait for that one.
        package var forBlocking: any InformedTransport {
            CurlEngine.isCurrent ? CurlTransport(configuration: configuration, library: library) : self
        }
    }

    extension CurlTransport {
        /// The libcurl that is used; `nil` where there is none that can be.
        public static var version: Version? { try? CurlLibrary.current.get().version }

        /// What a libcurl is made of.
        public struct Version: Sendable, Hashable {
            /// The version, such as `7.88.1`.
            public let libcurl: String
            /// Name and version of the TLS library, such as `OpenSSL/3.0.19`; `nil` if it has none.
            public let tls: String?
            /// Whether it can do HTTP/2.
            public let supportsHTTP2: Bool
        }
    }
#endif
