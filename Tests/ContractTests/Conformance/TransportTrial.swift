import Teapot

/// A transport under check.
struct TransportTrial: Sendable {
    let transport: any Transport
    let server: URL

    /// Starts an exchange.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: Path and query below the server's URL, percent-encoded.
    ///   - headerFields: Names and values; a name may be repeated.
    ///   - body: The body, if it is in memory.
    ///   - bodyFile: The body, if it is a file.
    ///   - pieces: The body, if it is sent while it is made.
    ///   - pace: The seconds that taking an event takes at least.
    ///   - cancelsAtData: Whether to cancel once the body begins to come, on the transport's thread.
    /// - Returns: The exchange, to wait for its outcome.
    func start(
        _ method: Teapot.HTTPMethod = .get,
        _ path: String,
        headerFields: [(String, String)] = [],
        body: Data? = nil,
        bodyFile: URL? = nil,
        pieces: Teapot.Request.Body.Pieces? = nil,
        pace: Double = 0,
        cancelsAtData: Bool = false
    ) -> CheckedExchange {
        var request = URLRequest(url: url(path))
        request.httpMethod = method.rawValue
        request.httpBody = body
        for (name, value) in headerFields { request.addValue(value, forHTTPHeaderField: name) }
        // As Teapot does, which sends no body without a type.
        if body != nil || bodyFile != nil, request.value(forHTTPHeaderField: "Content-Type") == nil {
            request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
        let exchange = CheckedExchange("\(method) /\(path)", pace: pace, cancelsAtData: cancelsAtData)
        do throws(TeapotError) {
            var request =
                if let bodyFile { try TransportRequest(request, bodyFile: bodyFile) } else { TransportRequest(request) }
            request.bodyPieces = pieces
            exchange.start(request, by: transport)
        } catch {
            exchange.receive(.finished(error))
        }
        return exchange
    }

    /// The URL of a path, which may have a query, below the server's URL.
    func url(_ path: String) -> URL {
        let base = server.absoluteString
        return URL(string: base + (base.hasSuffix("/") ? "" : "/") + path) ?? server
    }

    /// Sends a request and waits for a whole response with a status.
    @discardableResult
    func answer(
        _ method: Teapot.HTTPMethod = .get,
        _ path: String,
        headerFields: [(String, String)] = [],
        body: Data? = nil,
        bodyFile: URL? = nil,
        status: Int = 200
    ) async throws -> CheckedAnswer {
        try await start(method, path, headerFields: headerFields, body: body, bodyFile: bodyFile).answer(status)
    }

    /// Lets whatever the transport would still say be said: an exchange of its own comes after that.
    func settle() async throws {
        try await start(.get, "get").end()
    }

    /// Calls `body` with a file, which goes after that.
    func withFile<Value>(_ content: Data = Data(), _ body: (URL) async throws -> Value) async throws -> Value {
        let file = FileManager.default.temporaryDirectory.appending(path: "TeapotMock-\(UUID().uuidString)")
        if !content.isEmpty { try content.write(to: file) }
        defer { try? FileManager.default.removeItem(at: file) }
        return try await body(file)
    }

    /// Bytes of all values, in no order that repeats soon.
    static func bytes(_ count: Int) -> Data {
        (0...count / period.count).reduce(into: Data()) { data, _ in data += period }.prefix(count)
    }

    private static let period = Data((0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })

    /// The alphabet again and again, as `/range` has it.
    static func letters(_ count: Int) -> Data {
        Data(String(repeating: "abcdefghijklmnopqrstuvwxyz", count: count / 26 + 1).utf8.prefix(count))
    }
}
