#if os(Linux)
    import LoopbackServer
    import Teapot
    @testable import TeapotCurl
    import TestSupport
    import TestTraits
    import Testing

    @Suite(.inTurn)
    struct CurlConnectionsTests {
        /// One with a number, which an engine would give it.
        private func exchange(_ number: Int) throws -> CurlExchange {
            let exchange = try CurlExchange.idle("http://127.0.0.1/")
            exchange.number = number
            return exchange
        }

        /// An address of this machine, as the system's calls take it.
        private struct Address {
            private var address = sockaddr_in()
            private var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            var port: Int32 { Int32(in_port_t(bigEndian: address.sin_port)) }

            init(port: Int = 0) {
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = in_port_t(port).bigEndian
                address.sin_addr.s_addr = inet_addr("127.0.0.1")
            }

            /// The address of a socket's own end.
            init(of socket: Int32) throws {
                let isKnown = withUnsafeMutableBytes(of: &address) {
                    getsockname(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, &size) == 0
                }
                try #require(isKnown)
            }

            /// - Returns: Whether the call has succeeded.
            func pass(_ socket: Int32, to call: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32) -> Bool {
                withUnsafeBytes(of: address) {
                    call(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, size) == 0
                }
            }
        }

        private func connect(to port: Int) throws -> (descriptor: Int32, ends: CurlConnection.Ends) {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            try #require(Address(port: port).pass(descriptor, to: Glibc.connect))
            return (descriptor, try ends(of: descriptor, to: Int32(port)))
        }

        private func ends(of descriptor: Int32, to port: Int32) throws -> CurlConnection.Ends {
            CurlConnection.Ends(remote: "127.0.0.1", remotePort: port, localPort: try Address(of: descriptor).port)
        }

        @Test func `a connection is known from the opening of its socket until it is closed`() throws {
            let server = try LoopbackServer()
            let (descriptor, ends) = try connect(to: server.port)
            let (exchange, other) = (try exchange(1), try exchange(2))
            let connections = CurlConnections()
            #expect(connections.use(ends, for: exchange) == nil)

            connections.open(descriptor, for: exchange)
            let first = try #require(connections.use(ends, for: exchange))
            #expect(first.isNew)
            let second = try #require(connections.use(ends, for: other))
            #expect(!second.isNew)
            #expect(second.connection === first.connection)

            connections.forget(descriptor)
            #expect(connections.use(ends, for: exchange) == nil)
            close(descriptor)
        }

        /// The body of the exchange before may still be decoded.
        @Test func `a connection on which something lies is not quiet, whoever uses it`() async throws {
            let server = try LoopbackServer(scripts: [Script([.send("stray")])])
            let (descriptor, ends) = try connect(to: server.port)
            let connections = CurlConnections()
            connections.open(descriptor, for: try exchange(1))
            let connection = try #require(connections.use(ends, for: try exchange(1))).connection
            connection.isShared = false
            connection.begin(at: .zero)
            await eventually { !connection.isQuiet(mayBeShared: true) }
            connection.isShared = nil
            #expect(!connection.isQuiet(mayBeShared: false))
            close(descriptor)
        }

        /// Its socket has no peer any more. Taken for unknown, the request would be sent on another connection.
        @Test func `a connection that is reset at once is new all the same`() async throws {
            let server = try LoopbackServer(scripts: [Script([.reset])])
            let (descriptor, ends) = try connect(to: server.port)
            let connections = CurlConnections()
            let exchange = try exchange(1)
            connections.open(descriptor, for: exchange)
            var socket = pollfd(fd: descriptor, events: 0, revents: 0)
            await eventually { poll(&socket, 1, 0) == 1 }
            #expect(try #require(connections.use(ends, for: exchange)).isNew)
            close(descriptor)
        }

        /// Nobody accepts the connections, of which the queue takes one.
        @Test func `a socket that is not connected yet is no connection`() throws {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            try #require(Address().pass(listener, to: bind))
            try #require(listen(listener, 0) == 0)
            let address = try Address(of: listener)
            let sockets = (0..<4).map { _ in
                socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            }
            for descriptor in sockets { _ = address.pass(descriptor, to: Glibc.connect) }
            let connections = CurlConnections()
            let exchange = try exchange(1)
            connections.open(sockets[3], for: exchange)
            let ends = try ends(of: sockets[3], to: address.port)
            #expect(connections.use(ends, for: exchange) == nil)
            for descriptor in sockets + [listener] { close(descriptor) }
        }

        @Test func `all connections are taken if there are as many, and none is idle`() throws {
            let server = try LoopbackServer()
            let (first, second) = (try connect(to: server.port), try connect(to: server.port))
            let connections = CurlConnections()
            let (exchange, other) = (try exchange(1), try exchange(2))
            connections.open(first.descriptor, for: exchange)
            #expect(connections.areTaken(of: 1))
            #expect(!connections.areTaken(of: 2))
            let used = try #require(connections.use(first.ends, for: exchange)).connection
            #expect(!connections.areTaken(of: 1))
            used.begin(at: .zero)
            #expect(connections.areTaken(of: 1))
            // Two addresses of one host are tried.
            connections.open(second.descriptor, for: other)
            let third = dup(second.descriptor)
            connections.open(third, for: other)
            #expect(connections.areTaken(of: 2))
            #expect(!connections.areTaken(of: 3))
            // One of them is connected, and the other one is closed.
            try #require(connections.use(second.ends, for: other)).connection.begin(at: .zero)
            connections.forget(second.descriptor)
            #expect(connections.areTaken(of: 2))
            #expect(!connections.areTaken(of: 3))
            used.end(at: .zero)
            #expect(!connections.areTaken(of: 2))
            for descriptor in [first.descriptor, second.descriptor, third] { close(descriptor) }
        }

        @Test func `a connection that was opened for another exchange is not new`() throws {
            let server = try LoopbackServer()
            let (descriptor, ends) = try connect(to: server.port)
            let (exchange, other) = (try exchange(1), try exchange(2))
            let connections = CurlConnections()
            connections.open(descriptor, for: other)
            #expect(try #require(connections.use(ends, for: exchange)).isNew == false)
            close(descriptor)
        }

        /// An exchange can be where another was that is gone.
        @Test func `a connection that was opened for an exchange that is gone is not new`() throws {
            let server = try LoopbackServer()
            let (descriptor, ends) = try connect(to: server.port)
            let exchange = try exchange(1)
            let connections = CurlConnections()
            connections.open(descriptor, for: exchange)
            exchange.number = 2
            #expect(try #require(connections.use(ends, for: exchange)).isNew == false)
            close(descriptor)
        }
    }
#endif
