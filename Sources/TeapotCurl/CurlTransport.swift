#if os(Linux)
    public import Teapot

    /// A transport over libcurl that no server can crash. "Choosing a transport" in Teapot's documentation compares it with
    /// `URLSession`.
    ///
    /// ```swift
    /// let teapot = Teapot(baseURL: baseURL, transport: CurlTransport())
    /// ```
    ///
    /// It uses the libcurl that FoundationNetworking has already loaded into the process, version 7.68 or later; nothing is
    /// linked or installed for it. If it is missing or too old, every call fails with `noResponse`, whose reason names the
    /// required and the available version; see also ``version``.
    ///
    /// One thread does all the work. It starts with the first exchange, uses no processor time while it waits, and ends with
    /// the transport, when its last exchange is over. Events and plugins are called on that thread, so a plugin that waits
    /// holds up every exchange of the transport.
    public final class CurlTransport: Transport {
        private let configuration: Configuration
        private let library: Result<CurlLibrary, URLError>
        /// Made by the first exchange, under the lock: two that begin at the same time must not start two threads.
        private let engine = Locked<CurlEngine?>(nil)

        /// Makes a transport.
        public convenience init(configuration: Configuration = Configuration()) {
            self.init(configuration: configuration, library: CurlLibrary.current)
        }

        init(configuration: Configuration = Configuration(), library: Result<CurlLibrary, URLError>) {
            self.configuration = configuration
            self.library = library
        }

        deinit {
            // Its thread retains the engine, and ends after the last exchange.
            engine.withLock { $0 }?.stop()
        }

        /// Starts one exchange. Events come on the transport's thread.
        public func start(
            _ request: TransportRequest,
            receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> (any TransportTask)? {
            // libcurl does not ask for a body of no bytes: the sequence is read for its end, or its error.
            if let pieces = request.bodyPieces, pieces.length == 0 {
                return CollectingTask(pieces, of: request, receive, add: { _ in }) { request in
                    self.start(request, receive: receive)
                }
            }
            do {
                let engine: CurlEngine = try self.engine.withLock { (engine) throws(URLError) in
                    if let engine { return engine }
                    let started = try CurlEngine(configuration, library.get())
                    engine = started
                    return started
                }
                let exchange = try CurlExchange(request, engine, receive: receive)
                engine.start(exchange)
                return exchange
            } catch {
                receive(.finished(error))
                return nil
            }
        }
    }

    extension CurlTransport {
        /// The version of libcurl in use; `nil` if none is usable.
        public static var version: Version? { try? CurlLibrary.current.get().version }

        /// The version and features of libcurl.
        public struct Version: Sendable, Hashable {
            /// The version, such as `7.88.1`.
            public let libcurl: String
            /// The name and version of the TLS library, such as `OpenSSL/3.0.19`; `nil` if there is none.
            public let tls: String?
            /// Whether it supports HTTP/2.
            public let supportsHTTP2: Bool
        }
    }
#endif
