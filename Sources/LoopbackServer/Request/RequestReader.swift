import Foundation

/// Reads requests off a socket through one buffer, so that pipelined requests and bodies cost no more calls than they must.
struct RequestReader {
    /// The most bytes a head may have.
    static let headLimit = 1 << 18

    /// The most bytes a body may have that is kept.
    static let bodyLimit = 1 << 28

    private static let chunkLineLimit = 4096

    private let socket: Socket
    private var buffer = [UInt8](repeating: 0, count: 1 << 14)
    private var start = 0
    private var end = 0

    init(socket: Socket) {
        self.socket = socket
    }

    /// The next request. `nil` when the client closed the connection between two requests.
    mutating func next() throws(RequestError) -> ReceivedRequest? {
        guard let head = try nextHead() else { return nil }
        if head.expectsContinue, start == end {
            let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
            guard interim.withUnsafeBytes({ socket.send($0) }) else { throw .closed }
        }
        return try request(of: head)
    }

    /// The head of the next request, whose body is left to ``request(of:)``. `nil` as above.
    mutating func nextHead() throws(RequestError) -> RequestHead? { try readHead().map(RequestHead.init) }

    /// The request of a head, with its body.
    mutating func request(of head: RequestHead) throws(RequestError) -> ReceivedRequest {
        var body = IncomingBody(isDigested: head.request.path == DigestRoutes.path)
        switch head.framing {
        case .none: break
        case .length(let length): try readBody(length, into: &body)
        case .chunked: try readChunks(into: &body)
        }
        var request = head.request
        request.body = body.data
        request.bodyDigest = body.digest
        return request
    }

    /// Discards data until the client closes the connection, or `limit` bytes, and reports the number of bytes each time.
    mutating func discardRest(limit: Int, counting: (Int) -> Void = { _ in }) {
        counting(end - start)
        start = end
        var left = limit
        while left > 0 {
            let count = buffer.withUnsafeMutableBytes { socket.receive(into: $0) }
            guard count > 0 else { return }
            counting(count)
            left -= count
        }
    }

    // MARK: The head

    private mutating func readHead() throws(RequestError) -> ArraySlice<UInt8>? {
        var scanned = 0
        while true {
            // Empty lines before a request must be ignored (RFC 9112, section 2.2).
            while end - start >= 2, buffer[start] == .carriageReturn, buffer[start + 1] == .lineFeed {
                start += 2
                scanned = 0
            }
            if let length = headLength(from: max(0, scanned - 3)) {
                defer { start += length }
                return buffer[start..<start + length]
            }
            scanned = end - start
            guard scanned < Self.headLimit else { throw .headTooLarge }
            guard receive() else {
                if scanned == 0 { return nil }
                throw .closed
            }
        }
    }

    /// How many bytes the buffered head has, with its empty line. `nil` when its end has not come yet.
    private func headLength(from offset: Int) -> Int? {
        buffer.withUnsafeBufferPointer { bytes in
            var index = start + offset
            while index + 3 < end {
                if bytes[index + 3] == .lineFeed, bytes[index + 2] == .carriageReturn, bytes[index + 1] == .lineFeed,
                    bytes[index] == .carriageReturn
                {
                    return index + 4 - start
                }
                index += 1
            }
            return nil
        }
    }

    // MARK: The body

    private mutating func readBody(_ length: Int, into body: inout IncomingBody) throws(RequestError) {
        guard length <= body.room else { throw .bodyTooLarge }
        var left = length
        while left > 0 {
            if start == end {
                guard receive() else { throw .closed }
            }
            let count = min(left, end - start)
            let taken = start..<start + count
            buffer.withUnsafeBytes { body.append(UnsafeRawBufferPointer(rebasing: $0[taken])) }
            start += count
            left -= count
        }
    }

    private mutating func readChunks(into body: inout IncomingBody) throws(RequestError) {
        while true {
            let line = try readLine()
            let digits = line.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
            guard let size = Int(digits, radix: 16), size >= 0 else { throw .malformed("chunk size \(digits)") }
            if size == 0 { break }
            try readBody(size, into: &body)
            guard try readLine().isEmpty else { throw .malformed("a chunk longer than its size") }
        }
        var trailerCount = 0
        while try !readLine().isEmpty {
            trailerCount += 1
            guard trailerCount <= 100 else { throw .headTooLarge }
        }
    }

    private mutating func readLine() throws(RequestError) -> String {
        var scanned = 0
        while true {
            if let index = buffer[(start + scanned)..<end].firstIndex(of: .lineFeed) {
                defer { start = index + 1 }
                let hasReturn = index > start && buffer[index - 1] == .carriageReturn
                return String(decoding: buffer[start..<(hasReturn ? index - 1 : index)], as: UTF8.self)
            }
            scanned = end - start
            guard scanned < Self.chunkLineLimit else { throw .malformed("a chunk line without an end") }
            guard receive() else { throw .closed }
        }
    }

    // MARK: The buffer

    /// Appends what the socket has to the buffer. `false` when the client hung up.
    private mutating func receive() -> Bool {
        if start == end {
            start = 0
            end = 0
        } else if end == buffer.count, start > 0 {
            buffer.replaceSubrange(0..<(end - start), with: Array(buffer[start..<end]))
            end -= start
            start = 0
        } else if end == buffer.count {
            buffer.append(contentsOf: repeatElement(0, count: buffer.count))
        }
        let free = end
        let count = buffer.withUnsafeMutableBytes { bytes in
            socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: bytes[free...]))
        }
        guard count > 0 else { return false }
        end += count
        return true
    }
}
