import Foundation

@testable internal import LoopbackServer

/// One connection that says exactly what a test wants said, and shows exactly what came back.
///
/// It blocks, with a deadline of a minute for each read. The server has threads of its own, so nothing waits for itself.
final class RawClient {
    enum Failure: Error {
        case notConnected, notSent, reset, timedOut
    }

    private let socket: Socket

    init(port: Int) throws {
        socket = try Socket.stream(AF_INET)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket.descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                connect(socket.descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure.notConnected }
    }

    deinit { socket.close() }

    func send(_ text: String) throws {
        guard Array(text.utf8).withUnsafeBytes({ socket.send($0) }) else { throw Failure.notSent }
    }

    /// Says that nothing more will be sent.
    func finishSending() { socket.finishSending() }

    /// Everything until the server closes, or up to this end.
    func read(to end: String? = nil) throws -> String {
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while end.map({ !text.hasSuffix($0) }) ?? true {
            let count = bytes.withUnsafeMutableBytes { socket.receive(into: $0) }
            guard count >= 0 else { throw errno == ECONNRESET ? Failure.reset : .timedOut }
            guard count > 0 else { break }
            text += String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        return text
    }
}
