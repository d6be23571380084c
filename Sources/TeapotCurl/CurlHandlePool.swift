#if os(Linux)
    import Teapot

    /// The handles that no exchange uses, and what those of later exchanges can use again.
    ///
    /// It is used on the thread of its engine only.
    final class CurlHandlePool {
        private static let maximumCount = 32

        private let configuration: CurlTransport.Configuration
        private let library: CurlLibrary
        private let sockets: CurlConnections
        private var idle: [CurlHandle] = []
        /// Those that cannot be used again.
        private var spent: [CurlHandle] = []
        private var fields: FieldList
        private var addresses: AddressList

        init(_ configuration: CurlTransport.Configuration, _ library: CurlLibrary, _ sockets: CurlConnections) {
            self.configuration = configuration
            self.library = library
            self.sockets = sockets
            fields = FieldList(library)
            addresses = AddressList(configuration.proxy)
        }

        /// Whether nothing is kept that only more requests would need, but for a few idle handles.
        var isEmpty: Bool { fields.isEmpty && addresses.isEmpty && spent.isEmpty }

        /// Takes a handle for an exchange, and prepares it.
        ///
        /// - Parameters:
        ///   - exchange: The exchange.
        ///   - canBeHTTP2: Whether it can use HTTP/2.
        ///   - needsNewConnection: Whether it must not use a connection that is open.
        ///   - looksUpAnew: Whether the addresses that libcurl remembers for the host may be wrong.
        /// - Returns: The handle.
        /// - Throws: The option of the configuration, or of the request, that this libcurl does not support.
        func take(
            for exchange: CurlExchange,
            canBeHTTP2: Bool,
            needsNewConnection: Bool,
            looksUpAnew: Bool
        ) throws(URLError) -> CurlHandle {
            let handle = if let idle = idle.popLast() { idle } else { try CurlHandle(configuration, library, sockets) }
            try handle.begin(
                exchange,
                at: addresses.address(for: exchange),
                fields.list(for: exchange),
                canBeHTTP2: canBeHTTP2,
                needsNewConnection: needsNewConnection,
                looksUpAnew: looksUpAnew
            )
            return handle
        }

        /// Takes back the handle of an exchange that is over.
        func put(_ handle: CurlHandle) {
            if handle.isReusable, idle.count < Self.maximumCount {
                idle.append(handle)
            } else if spent.count < Self.maximumCount {
                spent.append(handle)
            }
        }

        /// Releases handles, and makes that of the next exchange if libcurl cannot use one again. Done while a server works, as a request
        /// would wait for it otherwise. If there is no memory for it, the exchange asks for one, and gets the error.
        func change() {
            spent = []
            guard !library.reusesHandles, idle.isEmpty else { return }
            if let next = try? CurlHandle(configuration, library, sockets) { idle.append(next) }
        }

        /// Releases what only more requests would need.
        func forget() {
            fields.forget()
            addresses.forget()
            spent = []
        }

        /// Releases everything.
        func close() {
            idle = []
            forget()
        }
    }
#endif
