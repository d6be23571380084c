import LoopbackServer
import Teapot
import TestSupport

/// One kind of call that a soak makes again and again, and its expected outcome.
struct SoakCall: Sendable {
    /// The outcome of a call.
    enum Outcome: Sendable {
        case success
        case expectedFailure
        case unexpected(String)
    }

    /// The content of a response was wrong.
    struct WrongContent: Error {
        let description: String

        /// - Throws: If the content is not right.
        static func unless(_ isRight: Bool, _ description: String) throws {
            guard isRight else { throw WrongContent(description: description) }
        }
    }

    let name: String
    /// How many of a thousand calls are of this kind.
    let share: Int
    /// The error that it is to end with; `nil` for a success.
    var error: TeapotError.ErrorType?
    /// The status of the response that the error is to have.
    var status: Int?
    /// Makes the call, the one with this number, and looks at what came.
    let make: @Sendable (SoakClient, Int) async throws -> Void

    /// All kinds of calls, whose shares make a thousand, and one that takes a connection for a while.
    static let mixed = (
        calls: successes + failures,
        connecting: SoakCall(name: "delay", share: 0) { client, _ in
            try await client.teapot.get(Teapot.Path(connectingPath))
        }
    )

    /// Slow enough for as many connections to be opened as there are calls at once.
    static let connectingPath = "delay/0.2"

    /// Makes the call, and compares its outcome with the expected one.
    func outcome(_ client: SoakClient, _ number: Int) async -> Outcome {
        do {
            try await make(client, number)
            return error == nil ? .success : .unexpected("\(name): no error")
        } catch let error as TeapotError where error.type == self.error && error.responseStatus == status {
            return .expectedFailure
        } catch let error as TeapotError {
            return .unexpected("\(name): \(error.debugDescription)")
        } catch {
            return .unexpected("\(name): \(error)")
        }
    }
}

extension SoakCall {
    private struct Arguments: Decodable {
        let args: [String: String]
    }

    private struct Digest: Decodable {
        let count: Int
        let digest: String
    }

    private struct Sent: Codable {
        let number: Int
    }

    private struct Echo: Decodable {
        let json: Sent
    }

    private struct Line: Decodable {
        let id: Int
    }

    static let successes = [
        SoakCall(name: "GET, closure", share: 200) { client, number in
            let result = await result { client.teapot.get("get?number=\(number)", completion: $0) }
            if let error = result.error { throw error }
            try WrongContent.unless(result.text("args", "number") == "\(number)", "the query")
        },
        SoakCall(name: "GET, async, decoded", share: 200) { client, number in
            let echo = try await client.teapot.get("get?number=\(number)", as: Arguments.self)
            try WrongContent.unless(echo.args["number"] == "\(number)", "the query")
        },
        SoakCall(name: "POST of JSON", share: 120) { client, number in
            let echo = try await client.teapot.post("post", body: Sent(number: number), as: Echo.self)
            try WrongContent.unless(echo.json.number == number, "the body")
        },
        SoakCall(name: "PUT of a file", share: 80) { client, _ in
            let request = Teapot.Request(.put, path: "digest", body: .file(client.upload))
            let digest = try await client.teapot.upload(request).decode(Digest.self)
            try WrongContent.unless(digest.count == SoakClient.fileSize && digest.digest == client.digest, "the body")
        },
        SoakCall(name: "download", share: 60) { client, number in
            let file = client.folder.file("download-\(number)")
            try await client.teapot.download("file/\(SoakClient.fileSize)", to: file)
            try WrongContent.unless(try Data(contentsOf: file) == client.content, "the file")
            try FileManager.default.removeItem(at: file)
        },
        SoakCall(name: "image", share: 60) { client, _ in
            let result = await imageResult { client.teapot.downloadImage(path: "image/png", completion: $0) }
            if let error = result.error { throw error }
            try WrongContent.unless(result.image != nil, "the image")
        },
        SoakCall(name: "bytes as they come", share: 60) { client, _ in
            var body = Data()
            for try await piece in try await client.teapot.bytes("file/\(SoakClient.fileSize)?chunked=1") {
                body += piece
            }
            try WrongContent.unless(body == client.content, "the body")
        },
        SoakCall(name: "lines as they come", share: 60) { client, _ in
            var numbers: [Int] = []
            for try await line in try await client.teapot.bytes("stream/20").lines {
                numbers.append(try JSONDecoder().decode(Line.self, from: Data(line.utf8)).id)
            }
            try WrongContent.unless(numbers == Array(0..<20), "the lines")
        },
        SoakCall(name: "lines, given up", share: 20) { client, _ in
            for try await _ in try await client.teapot.bytes("stream/100").lines { break }
        },
        SoakCall(name: "redirects", share: 50) { client, number in
            let path = "redirect-to?url=/redirect-to%3Furl%3D/get%253Fnumber%253D\(number)"
            let echo = try await client.teapot.get(Teapot.Path(path), as: Arguments.self)
            try WrongContent.unless(echo.args["number"] == "\(number)", "the query")
        },
    ]
}

extension SoakCall {
    /// One call in twenty meets a fault of the server.
    static let failures = [
        failure("status 404", share: 15, .invalidResponseStatus, status: 404, "status/404"),
        failure("status 500", share: 10, .invalidResponseStatus, status: 500, "status/500"),
        failure("reset", share: 10, .noResponse, SoakFault.reset.path),
        failure("cut off", share: 10, .dataTaskError, status: 200, SoakFault.cut.path),
        failure("bad gzip", share: 10, .dataTaskError, status: 200, SoakFault.gzip.path),
        SoakCall(name: "timeout", share: 10, error: .noResponse) { client, _ in
            var request = Teapot.Request(path: Teapot.Path(SoakFault.stall.path))
            request.timeoutInterval = 0.3
            try await client.teapot.send(request)
        },
        SoakCall(name: "connection refused", share: 10, error: .noResponse) { client, _ in
            try await client.unreachable.get("get")
        },
        SoakCall(name: "cancelled, async", share: 8, error: .cancelled) { client, number in
            let task = Task { try await client.teapot.get(Teapot.Path(SoakFault.stall.path)) }
            try await underWay(number)
            task.cancel()
            _ = try await task.value
        },
        // Its completion is not called, so that the task alone says how it ended.
        SoakCall(name: "cancelled, closure", share: 7) { client, number in
            let task = client.teapot.get(SoakFault.stall.path) { (_: NetworkResult) in
                client.lateCompletions.withLock { $0 += 1 }
            }
            try await underWay(number)
            task?.cancel()
            let error = task?.error
            try WrongContent.unless((error as? URLError)?.code == .cancelled, "the task's error is \(error as Any)")
        },
    ]

    private static func failure(
        _ name: String,
        share: Int,
        _ error: TeapotError.ErrorType,
        status: Int? = nil,
        _ path: String
    ) -> SoakCall {
        SoakCall(name: name, share: share, error: error, status: status) { client, _ in
            try await client.teapot.get(Teapot.Path(path))
        }
    }

    /// Waits a little, so that calls are cancelled at different stages.
    private static func underWay(_ number: Int) async throws {
        try await Task.sleep(for: .milliseconds(number % 20))
    }
}

extension SoakCall {
    /// The calls without Teapot, `GET`s of a small JSON object, which show the resources that the platform itself takes.
    static func plain(from server: URL) -> (calls: [SoakCall], connecting: SoakCall) {
        let client = PlainClient()
        @Sendable func get(_ path: String) async throws {
            guard let url = URL(string: path, relativeTo: server) else { throw URLError(.badURL) }
            _ = try await client.value(URLRequest(url: url), as: Arguments.self)
        }
        return (
            [SoakCall(name: "GET, plain", share: 1) { _, number in try await get("get?number=\(number)") }],
            SoakCall(name: "delay, plain", share: 0) { _, _ in try await get(connectingPath) }
        )
    }
}
