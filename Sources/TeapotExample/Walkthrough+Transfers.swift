import Teapot

/// Bodies that go to files, come from them, or are read as they arrive.
extension Walkthrough {
    func showTransfers() async {
        await checklist.step(
            "download to a file",
            code: """
                let file = directory.appending(path: "leaves.bin")
                let progress = Locked(Teapot.TransferProgress(bytes: 0, expectedBytes: nil))
                try await teapot.download("bytes/65536", to: file) { step in
                    progress.withLock { $0 = step }
                }
                """
        ) {
            let file = directory.appending(path: "leaves.bin")
            let progress = Locked(Teapot.TransferProgress(bytes: 0, expectedBytes: nil))
            try await teapot.download("bytes/65536", to: file) { step in
                progress.withLock { $0 = step }
            }
            let last = progress.withLock { $0 }
            try expect(65_536, found: Data(contentsOf: file).count)
            try expect(Teapot.TransferProgress(bytes: 65_536, expectedBytes: 65_536), found: last)
            return "\(last.bytes) bytes, \(Int((last.fraction ?? 0) * 100)) %"
        }

        await checklist.step("resume a download") {
            let file = directory.appending(path: "alphabet.txt")
            // The same API over an unreliable connection.
            let unreliable = Teapot(baseURL: baseURL, transport: InterruptedTransport(after: 40_000))
            let error = try await failure {
                try await unreliable.download("range/65536", to: file, resumes: true)
            }
            let response = try await teapot.download("range/65536", to: file, resumes: true)
            try expect(206, found: response.status)
            try expect(Data((0..<65_536).map { UInt8(ascii: "a") + UInt8($0 % 26) }), found: Data(contentsOf: file))
            return "\(response.status) after: \(error.description)"
        }

        await checklist.step("upload a form with a file") {
            let file = directory.appending(path: "notes.txt")
            let text = String(repeating: "Buy tea. Water the plants.\n", count: 2_000)
            try Data(text.utf8).write(to: file)

            var form = MultipartFormData()
            form.append("Ada \"the first\"", name: "author")
            form.append(file: file, name: "notes", contentType: "text/plain")
            let echo = try await teapot.send(.init(.post, path: "post", body: form.body()), as: FormEcho.self)
            try expect(["author": "Ada \"the first\""], found: echo.form)
            try expect(["notes": text], found: echo.files)
            return "the server received \(text.utf8.count) bytes of notes"
        }

        await checklist.step("download an image") {
            let type: String? = try await withCheckedThrowingContinuation { continuation in
                // A body that is not an image would be the error `missingImage`.
                teapot.downloadImage(path: "image/png") { result in
                    switch result {
                    case .success(_, let response): continuation.resume(returning: response.mimeType)
                    case .failure(_, let error): continuation.resume(throwing: error)
                    }
                }
            }
            try expect("image/png", found: type)
            return "\(type ?? "")"
        }

        await checklist.step(
            "read lines as they come",
            code: """
                var lines: [Line] = []
                for try await line in try await teapot.bytes("stream/5").lines {
                    try lines.append(JSONDecoder().decode(Line.self, from: Data(line.utf8)))
                }
                """
        ) {
            struct Line: Decodable {
                let id: Int
            }
            var lines: [Line] = []
            for try await line in try await teapot.bytes("stream/5").lines {
                try lines.append(JSONDecoder().decode(Line.self, from: Data(line.utf8)))
            }
            try expect([0, 1, 2, 3, 4], found: lines.map(\.id))
            return "lines " + lines.map { "\($0.id)" }.joined(separator: ", ")
        }
    }
}

/// A custom transport, which loses its connection after a number of bytes of a body.
private struct InterruptedTransport: Transport {
    private let transport = URLSessionTransport()
    private let limit: Int

    init(after limit: Int) {
        self.limit = limit
    }

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        let bytesLeft = Locked(limit)
        return transport.start(request) { event in
            guard let data = event.data else { return receive(event) }
            let (piece, isOver) = bytesLeft.withLock { bytesLeft in
                let piece = data.prefix(bytesLeft)
                bytesLeft -= piece.count
                return (piece, bytesLeft == 0)
            }
            // Events after the end are ignored.
            if !piece.isEmpty { receive(.data(piece)) }
            if isOver { receive(.finished(URLError(.networkConnectionLost))) }
        }
    }
}
