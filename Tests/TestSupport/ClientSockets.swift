#if os(Linux)
    import Foundation

    /// The states of this process's TCP sockets that are connected to a server on 127.0.0.1, by their own ports.
    ///
    /// They are asked one by one: the system's table has the sockets of all processes.
    package func clientSockets(
        to serverPort: Int,
        besides older: [UInt16: ClientSocketState] = [:]
    ) -> [UInt16: ClientSocketState] {
        func port(_ descriptor: Int32, _ read: (Int32, UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Int32)
            -> UInt16?
        {
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { read(descriptor, $0, &length) }
            }
            return result == 0 && address.sin_family == AF_INET ? UInt16(bigEndian: address.sin_port) : nil
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }.reduce(into: [:]) { sockets, descriptor in
            guard let remote = port(descriptor, { getpeername($0, $1, &$2) }), Int(remote) == serverPort,
                let own = port(descriptor, { getsockname($0, $1, &$2) }), older[own] == nil
            else { return }
            var state: UInt8 = 0
            var size: socklen_t = 1
            guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &state, &size) == 0 else { return }
            sockets[own] = ClientSocketState(rawValue: state)
        }
    }

    /// The first byte of `tcp_info`.
    package enum ClientSocketState: UInt8 {
        case established = 1
        /// The server has closed the connection, and this process has not.
        case closedByServer = 8
    }
#endif
