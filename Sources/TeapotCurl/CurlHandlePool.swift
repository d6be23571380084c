#if os(Linux)
    import Teapot

    /// The handles that no exchange uses, and the header fields and URL that a later exchange can use again.
    ///
    /// It is used on the thread of its engine only.
    final class CurlHandlePool {
        private static let maximumCount = 32

        private let configuration: CurlTransport.Configuration
        private let library: CurlLibrary
        private let sockets: CurlConnections
        private var idle: [CurlHandle] = []
        /// Handles that cannot be used again, and are released later.
        private var spent: [CurlHandle] = []
        private let fields: FieldList
        private let addresses: AddressList

        init(_ configuration: CurlTransport.Configuration, _ library: CurlLibrary, _ sockets: CurlConnections) {
            self.configuration = configuration
            self.library = library
            self.sockets = sockets
            fields = FieldList(library)
            addresses = AddressList(configuration.proxy)
        }

        /// Whether ``forget()`` has nothing to release.
        var isEmpty: Bool { fields.isEmpty && addresses.isEmpty && spent.isEmpty }

        /// Takes a handle for an exchange, and prepares it as ``CurlHandle/begin(_:at:_:canBeHTTP2:needsNewConnection:looksUpAnew:)`` does.
        /// Throws an error that names the option of the configuration, or of the request, that this libcurl does not support.
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

        /// Releases the spent handles, and makes the handle of the next exchange if this libcurl cannot use a handle again.
        ///
        /// Called while servers work, so that no request waits for either. If no handle can be made, the next exchange tries again, and
        /// gets the error.
        func changeHandles() {
            spent = []
            guard !library.reusesHandles, idle.isEmpty else { return }
            if let next = try? CurlHandle(configuration, library, sockets) { idle.append(next) }
        }

        /// Releases the memory that only more requests would need, except a few idle handles.
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
