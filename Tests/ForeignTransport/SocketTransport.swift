import Foundation
public import Teapot

/// A transport as somebody else would write it: HTTP/1.1 over a blocking socket, with a thread and a connection for each exchange.
///
/// Its target has no access to what this package declares as `package`, so it compiles with the public API only. It connects to
/// `http` URLs, and asks servers not to compress.
public struct SocketTransport: Transport {
    /// Makes a transport; it keeps nothing between exchanges.
    public init() {}

    /// Starts an exchange on a thread of its own.
    public func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        let exchange = SocketExchange(receive)
        exchange.start(request)
        return exchange
    }
}

/// An exchange, which ends when its thread has seen the end of the response, or an error.
final class SocketExchange: TransportTask, @unchecked Sendable {
    private let receive: @Sendable (TransportEvent) -> Void
    /// Guards the variables below: `cancel` is called on any thread.
    private let lock = NSLock()
    private var isCancelled = false
    private var reader: Task<Void, Never>?
    private var connection: SocketConnection?

    init(_ receive: @escaping @Sendable (TransportEvent) -> Void) {
        self.receive = receive
    }

    func start(_ request: TransportRequest) {
        guard let pieces = request.bodyPieces else { return detach { try self.run(request, Self.body(of: request)) } }
        let task = Task {
            do {
                let body = Collected()
                try await pieces.forEach { piece in
                    body.append(piece)
                    self.receive(.sent(0))
                }
                self.detach { try self.run(request, body.data) }
            } catch {
                self.finish(error)
            }
        }
        let wasCancelled = lock.withLock {
            reader = task
            return isCancelled
        }
        if wasCancelled { task.cancel() }
    }

    func cancel() {
        let reader = lock.withLock {
            isCancelled = true
            connection?.shutDown()
            return self.reader
        }
        reader?.cancel()
    }

    /// Runs an exchange on a thread of its own, which may wait for the server.
    private func detach(_ run: @escaping @Sendable () throws -> Void) {
        Thread.detachNewThread {
            do {
                try run()
                self.finish(nil)
            } catch {
                self.finish(error)
            }
        }
    }

    private func finish(_ error: (any Error)?) {
        let isCancelled = lock.withLock { self.isCancelled }
        receive(.finished(isCancelled && error != nil ? URLError(.cancelled) : error))
    }

    // MARK: - On the thread

    private static func body(of request: TransportRequest) throws -> Data {
        try request.bodyFile.map { try Data(contentsOf: $0) } ?? request.urlRequest.httpBody ?? Data()
    }

    private func run(_ request: TransportRequest, _ body: Data) throws {
        guard let url = request.urlRequest.url else { throw URLError(.badURL) }
        // It has no TLS.
        guard url.scheme?.lowercased() == "http" else { throw URLError(.secureConnectionFailed) }
        let connection = try SocketConnection(to: url)
        let isCancelled = lock.withLock {
            self.connection = connection
            return self.isCancelled
        }
        defer {
            // A later `cancel` must not shut down a descriptor that the system has given to somebody else.
            lock.withLock { self.connection = nil }
            connection.close()
        }
        if isCancelled { throw URLError(.cancelled) }
        do {
            try connection.write(Self.head(of: request.urlRequest, to: url, bodySize: body.count))
            for start in stride(from: 0, to: body.count, by: 65_536) {
                let piece = body.dropFirst(start).prefix(65_536)
                try connection.write(piece)
                receive(.sent(piece.count))
            }
        } catch {
            // A server that does not want the whole body answers, and closes the connection.
            guard (try? read(url, request, connection)) != nil else { throw error }
            return
        }
        try read(url, request, connection)
    }

    private static func head(of request: URLRequest, to url: URL, bodySize: Int) -> Data {
        let own = ["host", "connection", "content-length", "transfer-encoding", "accept-encoding"]
        var fields = (request.allHTTPHeaderFields ?? [:]).filter { !own.contains($0.key.lowercased()) }
        fields["Host"] =
            request.value(forHTTPHeaderField: "Host") ?? url.port.map { "\(url.host() ?? ""):\($0)" } ?? url.host()
        fields["Connection"] = "close"
        fields["Accept-Encoding"] = "identity"
        let method = request.httpMethod ?? "GET"
        if bodySize > 0 || ["POST", "PUT", "PATCH"].contains(method) { fields["Content-Length"] = "\(bodySize)" }
        let path = url.path(percentEncoded: true)
        let target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
        return Data("\(method) \(target) HTTP/1.1\r\n\(lines)\r\n".utf8)
    }

    private func read(_ url: URL, _ request: TransportRequest, _ connection: SocketConnection) throws {
        var (status, fields) = try connection.readHead()
        // Interim responses, such as 100 and 103. A 101 is the last.
        while (100..<200).contains(status), status != 101 {
            receive(.sent(0))
            (status, fields) = try connection.readHead()
        }
        receive(.response(from: url, status: status, fields: fields))
        // The values of a field, which has come more than once if there is a comma.
        let field = { (name: String) in
            let values = fields.filter { $0.name.lowercased() == name }.map {
                $0.value.trimmingCharacters(in: .whitespaces)
            }
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        let hasBody = request.urlRequest.httpMethod != "HEAD" && ![204, 304].contains(status)
        guard hasBody else { return }
        let coding = field("content-encoding") ?? "identity"
        guard coding.lowercased() == "identity" else { throw URLError(.cannotDecodeContentData) }
        let take = { (piece: Data) in self.receive(.data(piece)) }
        if let transferCoding = field("transfer-encoding") {
            guard transferCoding.lowercased() == "chunked" else { throw URLError(.cannotDecodeRawData) }
            while true {
                guard let size = Int(try connection.readLine().prefix { $0 != ";" }, radix: 16), size >= 0 else {
                    throw URLError(.cannotDecodeRawData)
                }
                if size == 0 { break }
                try connection.read(size, take)
                _ = try connection.readLine()
            }
            while try !connection.readLine().isEmpty {}
        } else if let length = field("content-length") {
            guard let size = Int(length), size >= 0 else { throw URLError(.badServerResponse) }
            try connection.read(size, take)
        } else {
            while let piece = try connection.readSome(Int.max) { take(piece) }
        }
    }
}

/// The body of a request. `@unchecked` is sound: its pieces come one after the other, and it is read after the last.
private final class Collected: @unchecked Sendable {
    private(set) var data = Data()

    func append(_ piece: Data) { data += piece }
}
