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
        Route(["GET"], "stream/*") { request, parameters in
            guard let count = Int(parameters[0]), count >= 0 else { return .page(status: 404) }
            return lines(min(count, 100), request)
        },
        Route(["GET"], "range/*") { request, parameters in
            guard let count = Int(parameters[0]), count >= 0 else { return .page(status: 404) }
            return letters(count, request)
        },
        Route(["GET"], "drip") { request, _ in drip(Query(request)) },
    ]

    /// Random bytes, at most 100 KB; the same each time for the same `seed`.
    private static func bytes(_ text: String, _ request: ReceivedRequest) -> Data? {
        guard let count = Int(text), count >= 0 else { return nil }
        var generator = SeededGenerator(
            seed: Query(request).integer("seed").map { UInt64(bitPattern: Int64($0)) } ?? .random(in: 0...(.max))
        )
        let length = min(count, 100 * 1024)
        // Without a capacity, the initializer writes to the storage that all empty arrays share.
        let words = [UInt64](unsafeUninitializedCapacity: (length + 7) / 8 + 1) { words, count in
            while count < (length + 7) / 8 {
                words[count] = generator.next()
                count += 1
            }
        }
        return words.withUnsafeBytes { Data($0.prefix(length)) }
    }

    /// The request again and again, each time as one line of JSON in one chunk.
    private static func lines(_ count: Int, _ request: ReceivedRequest) -> Response {
        let summary = Echo(request).summary
        var response = Response(contentType: "application/json")
        response.body = .chunked(
            (0..<count).map { index in
                JSONValue.object(summary.merging(["id": .raw(String(index))]) { first, _ in first }).line
            }
        )
        return response
    }

    /// The alphabet repeated, or a range of it, by httpbin's own rules: a range beyond the end is refused, one that covers
    /// everything gets 200, and that has a `Content-Range` as well.
    private static func letters(_ count: Int, _ request: ReceivedRequest) -> Response {
        let isPossible = (1...100 * 1024).contains(count)
        var response = Response(contentType: isPossible ? "application/octet-stream" : "text/plain; charset=utf-8")
            .adding("ETag", "range\(count)")
            .adding("Accept-Ranges", "bytes")
        guard isPossible else {
            response.status = 404
            response.body = .whole(Data("number of bytes must be in the range (0, 102400]".utf8))
            return response
        }
        let (first, last) =
            switch request.header("Range").flatMap(RangeHeader.init) {
            case .from(let first, let last): (first, last ?? count - 1)
            case .last(let length): (max(0, count - length), count - 1)
            case nil: (0, count - 1)
            }
        guard first <= last, last < count else {
            response.status = 416
            return response.adding("Content-Range", "bytes */\(count)")
        }
        response.status = last - first + 1 == count ? 200 : 206
        let alphabet = String(repeating: "abcdefghijklmnopqrstuvwxyz", count: last / 26 + 1)
        response.body = .whole(Data(alphabet.utf8.prefix(last + 1).dropFirst(first)))
        return response.adding("Content-Range", "bytes \(first)-\(last)/\(count)")
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
