import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One connection that says exactly what a test wants said, and shows exactly what came back.
///
/// It blocks, with a deadline of a minute for each read. The server has threads of its own, so nothing waits for itself.
final class RawClient {
    /// The end of a read, other than bytes.
    enum Failure: Error, Equatable {
        case notConnected(errno: Int32)
        case notSent
        case reset
        case timedOut
        case endOfStream(after: String)
        case unreadable(String)
    }

    private let descriptor: Int32
    private var buffer = Data()

    init(port: Int) throws {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(bitPattern: SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure.notConnected(errno: errno) }
    }

    deinit {
        close(descriptor)
    }

    func send(_ text: String) throws {
        try send(Data(text.utf8))
    }

    func send(_ data: Data) throws {
        var rest = data[...]
        while !rest.isEmpty {
            #if canImport(Darwin)
                let flags: Int32 = 0
            #else
                let flags = Int32(MSG_NOSIGNAL)
            #endif
            let count = rest.withUnsafeBytes { write(to: $0, flags: flags) }
            guard count > 0 else { throw Failure.notSent }
            rest = rest.dropFirst(count)
        }
    }

    /// Says that nothing more will be sent.
    func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// All bytes until the server closes.
    func readToEnd() throws -> Data {
        while try receive() {}
        defer { buffer = Data() }
        return buffer
    }

    /// Everything up to and with these bytes.
    func read(through end: String) throws -> String {
        while true {
            if let range = buffer.range(of: Data(end.utf8)) {
                return take(buffer.distance(from: 0, to: range.upperBound))
            }
            guard try receive() else { throw Failure.endOfStream(after: String(decoding: buffer, as: UTF8.self)) }
        }
    }

    /// The next response, with its body by `Content-Length`.
    func readResponse() throws -> RawResponse {
        var response = try RawResponse(head: read(through: "\r\n\r\n"))
        response.body = try readBytes(response.header("Content-Length").flatMap { Int($0) } ?? 0)
        return response
    }

    /// The next bytes, exactly as many.
    private func readBytes(_ count: Int) throws -> Data {
        while buffer.count < count {
            guard try receive() else { throw Failure.endOfStream(after: String(decoding: buffer, as: UTF8.self)) }
        }
        defer { buffer = Data(buffer.dropFirst(count)) }
        return Data(buffer.prefix(count))
    }

    private func take(_ count: Int) -> String {
        defer { buffer = Data(buffer.dropFirst(count)) }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    private func receive() throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw errno == ECONNRESET ? Failure.reset : .timedOut }
        buffer.append(contentsOf: bytes.prefix(count))
        return count > 0
    }

    private func write(to bytes: UnsafeRawBufferPointer, flags: Int32) -> Int {
        #if canImport(Darwin)
            Darwin.send(descriptor, bytes.baseAddress, bytes.count, flags)
        #elseif canImport(Glibc)
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
        #else
            Musl.send(descriptor, bytes.baseAddress, bytes.count, flags)
        #endif
    }
}
