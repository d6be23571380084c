#if os(Linux)
    import LoopbackServer
    import Teapot
    @testable import TeapotCurl
    import TestTraits
    import Testing

    @Suite(.inTurn)
    struct CurlConnectionsTests {
        private func exchange() throws -> CurlExchange {
            let engine = try CurlEngine(CurlTransport.Configuration(), CurlLibrary.current.get())
            engine.stop()
            let url = try #require(URL(string: "http://127.0.0.1/"))
            return try CurlExchange(TransportRequest(URLRequest(url: url)), engine) { _ in }
        }

        private func connect(to port: Int) throws -> (descriptor: Int32, ends: CurlConnection.Ends) {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isConnected = withUnsafeMutableBytes(of: &address) { bytes in
                let address = bytes.assumingMemoryBound(to: sockaddr.self)
                return Glibc.connect(descriptor, address.baseAddress, size) == 0
                    && getsockname(descriptor, address.baseAddress, &size) == 0
            }
            try #require(isConnected)
            let localPort = Int32(in_port_t(bigEndian: address.sin_port))
            return (descriptor, CurlConnection.Ends(remote: "127.0.0.1", remotePort: Int32(port), localPort: localPort))
        }

        @Test func `a connection is known from the opening of its socket until it is closed`() throws {
            let server = try LoopbackServer()
            let (descriptor, ends) = try connect(to: server.port)
            let (exchange, other) = (try exchange(), try exchange())
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

        @Test func `a connection that was opened for another exchange is not new`() throws {
            let server = try LoopbackServer()
            let (descriptor, ends) = try connect(to: server.port)
            let (exchange, other) = (try exchange(), try exchange())
            let connections = CurlConnections()
            connections.open(descriptor, for: other)
            #expect(try #require(connections.use(ends, for: exchange)).isNew == false)
            close(descriptor)
        }
    }
#endif
