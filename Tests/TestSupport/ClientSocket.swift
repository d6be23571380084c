#if os(Linux)
    import Foundation

    /// A TCP socket of this process that is connected to a server on 127.0.0.1.
    package struct ClientSocket: Sendable {
        /// The first byte of `tcp_info`.
        package enum State: UInt8, Sendable {
            case established = 1
            /// The server has closed the connection, and this process has not.
            case closedByServer = 8
        }

        package let descriptor: Int32
        package let state: State

        /// The sockets by their own ports.
        ///
        /// They are asked one by one: the system's table has the sockets of all processes.
        ///
        /// - Parameters:
        ///   - port: The server's port.
        ///   - older: What another test left on that port.
        /// - Returns: The sockets that are established or closed by the server.
        package static func all(to port: Int, besides older: [UInt16: ClientSocket] = [:]) -> [UInt16: ClientSocket] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return names.compactMap { Int32($0) }.reduce(into: [:]) { sockets, descriptor in
                guard Self.port(descriptor, { getpeername($0, $1, &$2) }).map(Int.init) == port,
                    let own = Self.port(descriptor, { getsockname($0, $1, &$2) }), older[own] == nil
                else { return }
                var state: UInt8 = 0
                var size: socklen_t = 1
                guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &state, &size) == 0 else { return }
                sockets[own] = State(rawValue: state).map { ClientSocket(descriptor: descriptor, state: $0) }
            }
        }

        private static func port(
            _ descriptor: Int32,
            _ read: (Int32, UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Int32
        ) -> UInt16? {
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { read(descriptor, $0, &length) }
            }
            return result == 0 && address.sin_family == AF_INET ? UInt16(bigEndian: address.sin_port) : nil
        }
    }
#endif
