import Foundation

/// One stream descriptor. The only file that calls the C library's functions for sockets.
///
/// It is a plain value: its owner closes it, once. Other threads may call `shutDown()`, which wakes the owner from a blocking
/// call, and does not let the system reuse the descriptor's number.
struct Socket: Hashable, Sendable {
    let descriptor: Int32

    /// The result of `accept`.
    enum Accepted {
        case connection(Socket)
        case tryAgain
        case outOfDescriptors
        case closed
    }

    /// A listening socket, at a port the system picks (0 for a Unix socket), and one that holds the same port of the other
    /// address without listening, so that a client of `localhost` reaches this server or is refused.
    static func listening(
        at address: LoopbackServer.Address
    ) throws(SocketError) -> (socket: Socket, reserved: Socket?, port: Int) {
        let (socket, reserved, port) = try bound(to: address)
        guard listen(socket.descriptor, 512) == 0 else {
            let error = SocketError(call: "listen", code: errno)
            socket.close()
            reserved?.close()
            throw error
        }
        // A connection can vanish between `poll` and `accept`, which must not block then.
        _ = fcntl(socket.descriptor, F_SETFL, O_NONBLOCK)
        return (socket, reserved, port)
    }

    private static func bound(
        to address: LoopbackServer.Address
    ) throws(SocketError) -> (socket: Socket, reserved: Socket?, port: Int) {
        if case .unixSocket(let path) = address { return (try bound(toPath: path), nil, 0) }
        let isIPv6 = if case .ipv6 = address { true } else { false }
        for _ in 1...20 {
            let (socket, port) = try bound(isIPv6: isIPv6, port: 0)
            do throws(SocketError) {
                return (socket, try bound(isIPv6: !isIPv6, port: port).socket, port)
            } catch {
                // Without IPv6 there is nothing to hold.
                guard error.code == EADDRINUSE else { return (socket, nil, port) }
                socket.close()
            }
        }
        throw SocketError(call: "bind", code: EADDRINUSE)
    }

    /// A socket at 127.0.0.1 or ::1; the system picks a port in place of 0.
    private static func bound(isIPv6: Bool, port: Int) throws(SocketError) -> (socket: Socket, port: Int) {
        let port = UInt16(truncatingIfNeeded: port).bigEndian
        if isIPv6 {
            var own = sockaddr_in6()
            own.sin6_family = sa_family_t(AF_INET6)
            own.sin6_port = port
            own.sin6_addr = in6addr_loopback
            let socket = try bound(to: &own, AF_INET6)
            return (socket, Int(UInt16(bigEndian: own.sin6_port)))
        }
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_port = port
        own.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let socket = try bound(to: &own, AF_INET)
        return (socket, Int(UInt16(bigEndian: own.sin_port)))
    }

    private static func bound(toPath path: String) throws(SocketError) -> Socket {
        var own = sockaddr_un()
        own.sun_family = sa_family_t(AF_UNIX)
        let isShort = withUnsafeMutableBytes(of: &own.sun_path) { buffer in
            buffer.copyBytes(from: path.utf8.prefix(buffer.count - 1))
            return path.utf8.count < buffer.count
        }
        guard isShort else { throw SocketError(call: "bind", code: ENAMETOOLONG) }
        return try bound(to: &own, AF_UNIX)
    }

    /// Binds a new socket, and writes where to into `address`.
    private static func bound<Address>(to address: inout Address, _ family: Int32) throws(SocketError) -> Socket {
        let socket = try Socket.stream(family)
        var length = socklen_t(MemoryLayout<Address>.size)
        let isReady = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(socket.descriptor, generic, length) == 0 && getsockname(socket.descriptor, generic, &length) == 0
            }
        }
        guard isReady else {
            let error = SocketError(call: "bind", code: errno)
            socket.close()
            throw error
        }
        return socket
    }

    /// A pair whose one end becomes readable when the other is closed: the way to wake a thread out of ``waitToAccept(or:)``.
    static func wakePair() throws(SocketError) -> (waiting: Socket, waking: Socket) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, streamType, 0, &ends) == 0 else { throw SocketError(call: "socketpair", code: errno) }
        let pair = (waiting: Socket(descriptor: ends[0]), waking: Socket(descriptor: ends[1]))
        pair.waiting.closeOnExec()
        pair.waking.closeOnExec()
        return pair
    }

    /// Blocks until a connection waits to be accepted (`true`) or the other end of `wake` was closed (`false`).
    func waitToAccept(or wake: Socket) -> Bool {
        var polled = [
            pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&polled, 2, -1) < 0 {
            guard errno == EINTR else { return false }
        }
        return polled[0].revents == 0
    }

    /// Takes the next waiting connection, closed on exec and without Nagle's delay.
    func accept() -> Accepted {
        // `accept4`, which would close on exec at once, is not among what Swift imports.
        let accepted = Foundation.accept(descriptor, nil, nil)
        guard accepted >= 0 else {
            switch errno {
            case EINTR, ECONNABORTED, EAGAIN, EPROTO: return .tryAgain
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .outOfDescriptors
            default: return .closed
            }
        }
        let socket = Socket(descriptor: accepted)
        socket.closeOnExec()
        // Some systems pass `O_NONBLOCK` on from the listener.
        _ = fcntl(accepted, F_SETFL, 0)
        socket.prepareStream()
        return .connection(socket)
    }

    /// Blocks for bytes. Returns how many came: zero at the end of the stream, negative after an error such as a reset.
    func receive(into bytes: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = recv(descriptor, bytes.baseAddress, bytes.count, 0)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Blocks until all bytes are handed to the system. `false` means that the peer is gone.
    func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
            let count = Foundation.send(descriptor, rest.baseAddress, rest.count, Self.sendFlags)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Says that nothing more will be sent, and keeps receiving.
    func finishSending() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Ends both directions, so that a thread that blocks in `receive` or `send` returns, and on Linux ends listening, whoever
    /// has a copy. The descriptor stays open.
    func shutDown() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Makes `close()` send a reset instead of an orderly end.
    func resetOnClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    func close() {
        _ = Foundation.close(descriptor)
    }
}

extension Socket {
    private static var streamType: Int32 {
        #if canImport(Glibc)
            Int32(bitPattern: SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }

    /// Darwin has a socket option in place of the flag.
    private static var sendFlags: Int32 {
        #if canImport(Darwin)
            0
        #else
            Int32(MSG_NOSIGNAL)
        #endif
    }

    static func stream(_ family: Int32) throws(SocketError) -> Socket {
        let descriptor = socket(family, streamType, 0)
        guard descriptor >= 0 else { throw SocketError(call: "socket", code: errno) }
        let stream = Socket(descriptor: descriptor)
        stream.closeOnExec()
        return stream
    }

    private func closeOnExec() {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private func prepareStream() {
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }
}
