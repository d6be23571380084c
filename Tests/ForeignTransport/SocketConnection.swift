import Foundation

/// A connection to a server, used by one thread; another one may shut it down.
final class SocketConnection {
    private let descriptor: Int32
    /// What has come and was not read yet.
    private var buffer = Data()

    /// Connects to the first address that accepts.
    init(to url: URL) throws {
        #if canImport(Darwin) || canImport(Musl)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        var hints = addrinfo()
        hints.ai_socktype = stream
        var first: UnsafeMutablePointer<addrinfo>?
        let host = (url.host() ?? "").trimmingCharacters(in: ["[", "]"])
        guard getaddrinfo(host, "\(url.port ?? 80)", &hints, &first) == 0 else { throw URLError(.cannotFindHost) }
        defer { freeaddrinfo(first) }
        var next = first
        while let address = next?.pointee {
            let descriptor = socket(address.ai_family, stream, 0)
            // A child process with a copy would keep the connection open.
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            if connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 {
                #if canImport(Darwin)
                    var isOn: Int32 = 1
                    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
                #endif
                self.descriptor = descriptor
                return
            }
            _ = Foundation.close(descriptor)
            next = address.ai_next
        }
        throw URLError(.cannotConnectToHost)
    }

    func close() { _ = Foundation.close(descriptor) }

    /// Wakes the thread that waits.
    func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    func write(_ data: Data) throws {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = data
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw URLError(.networkConnectionLost) }
            rest = rest.dropFirst(count)
        }
    }

    // MARK: - Reading

    /// Up to so many bytes; `nil` at the end.
    func readSome(_ limit: Int) throws -> Data? {
        if buffer.isEmpty {
            var bytes = [UInt8](repeating: 0, count: 16_384)
            var count = recv(descriptor, &bytes, bytes.count, 0)
            while count < 0, errno == EINTR { count = recv(descriptor, &bytes, bytes.count, 0) }
            guard count >= 0 else { throw URLError(.networkConnectionLost) }
            guard count > 0 else { return nil }
            buffer = Data(bytes.prefix(count))
        }
        let piece = Data(buffer.prefix(limit))
        buffer = buffer.dropFirst(piece.count)
        return piece
    }

    /// Exactly so many bytes, in pieces.
    func read(_ count: Int, _ take: (Data) -> Void) throws {
        var rest = count
        while rest > 0 {
            guard let piece = try readSome(rest) else { throw URLError(.networkConnectionLost) }
            rest -= piece.count
            take(piece)
        }
    }

    /// The text up to the next line break.
    func readLine() throws -> String {
        var line = Data()
        while let byte = try readSome(1)?.first {
            if byte == UInt8(ascii: "\n") {
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                return String(decoding: line, as: UTF8.self)
            }
            line.append(byte)
            guard line.count < 1 << 20 else { throw URLError(.dataLengthExceedsMaximum) }
        }
        throw URLError(.networkConnectionLost)
    }

    /// The status and the header fields of a response.
    func readHead() throws -> (status: Int, fields: [(name: String, value: String)]) {
        let parts = try readLine().split(separator: " ", maxSplits: 2)
        guard parts.count > 1, parts[0].hasPrefix("HTTP/1."), let status = Int(parts[1]) else {
            throw URLError(.badServerResponse)
        }
        var fields: [(name: String, value: String)] = []
        while case let line = try readLine(), !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else { throw URLError(.badServerResponse) }
            fields.append((String(line[..<colon]), String(line[line.index(after: colon)...])))
        }
        return (status, fields)
    }
}
