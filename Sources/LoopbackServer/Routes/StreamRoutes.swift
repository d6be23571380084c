import Foundation

/// The routes whose size and pace are asked for.
enum StreamRoutes {
    static let all = [
        Route(["GET"], "bytes/*") { request, parameters in
            guard let bytes = bytes(parameters[0], request) else { return .page(status: 404) }
            return Response(contentType: "application/octet-stream", body: bytes)
        },
        Route(["GET"], "stream-bytes/*") { request, parameters in
            guard let bytes = bytes(parameters[0], request) else { return .page(status: 404) }
            let size = max(1, Query(request).integer("chunk_size") ?? 10 * 1024)
            var response = Response(contentType: "application/octet-stream")
            response.body = .chunked(
                stride(from: 0, to: bytes.count, by: size).map { Data(bytes[$0..<min($0 + size, bytes.count)]) }
            )
            return response
        },
        Route(["GET"], "drip") { request, _ in drip(Query(request)) },
    ]

    /// Random bytes, at most 100 KB; the same each time for the same `seed`.
    private static func bytes(_ text: String, _ request: ReceivedRequest) -> Data? {
        guard let count = Int(text), count >= 0 else { return nil }
        var generator = SeededGenerator(seed: Query(request).integer("seed") ?? Int.random(in: 0...(.max)))
        return Data((0..<min(count, 100 * 1024)).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    private static func drip(_ query: Query) -> Response {
        let count = min(query.integer("numbytes") ?? 10, 10 * 1024 * 1024)
        guard count > 0 else { return .text("number of bytes must be positive", status: 400) }
        let status = query.integer("code") ?? 200
        guard (200...999).contains(status) else { return .text("Invalid status code", status: 400) }
        var response = Response(status: status, contentType: "application/octet-stream")
        response.delay = query.seconds("delay") ?? 0
        response.body = .dripped(count: count, pause: (query.seconds("duration") ?? 2) / Double(count))
        return response
    }
}
