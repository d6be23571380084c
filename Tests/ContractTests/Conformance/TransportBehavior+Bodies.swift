import Teapot

extension TransportBehavior {
    /// The bodies of requests, as servers receive them.
    static let requestBodies = [
        TransportBehavior("a body in memory arrives byte for byte") { trial in
            try await trial.expectArrival(of: TransportTrial.bytes(1_024))
        },
        TransportBehavior("a request without a body has none") { trial in
            let answer = try await trial.answer(.post, "anything")
            let length = try answer.echo().header("Content-Length") ?? ""
            try answer.request.expect(["", "0"].contains(length), "no Content-Length, or 0", received: length)
        },
        TransportBehavior("POST, PUT, PATCH and DELETE send their bodies") { trial in
            for method in [HTTPMethod.post, .put, .patch, .delete] {
                try await trial.expectArrival(of: Data("tea".utf8), method)
            }
        },
        TransportBehavior("a body arrives with its type and its length") { trial in
            let fields = [("Content-Type", "text/x-tea; kind=green")]
            let answer = try await trial.answer(.post, "anything", headerFields: fields, body: Data("tea".utf8))
            let echo = try answer.echo()
            try answer.request.expect("Content-Type:", echo.header("Content-Type") ?? "none", is: fields[0].1)
            try answer.request.expect("Content-Length:", echo.header("Content-Length") ?? "none", is: "3")
        },
        TransportBehavior("a body of 1 MB arrives, and comes back") { trial in
            try await trial.expectArrival(of: TransportTrial.letters(1 << 20))
        },
        TransportBehavior("a body in a file arrives byte for byte, with its length") { trial in
            for content in [Data("tea".utf8), TransportTrial.bytes(300_000)] {
                let answer = try await trial.withFile(content) { file in
                    try await trial.answer(.put, "anything", bodyFile: file)
                }
                let echo = try answer.echo()
                try answer.request.expect("the body", echo.body, is: content)
                let length = echo.header("Content-Length") ?? "none"
                try answer.request.expect("Content-Length:", length, is: "\(content.count)")
            }
        },
    ]

    /// The bodies of responses.
    static let responseBodies = [
        TransportBehavior("a body is whole") { trial in
            for count in [1, 100_000] {
                let answer = try await trial.answer(.get, "range/\(count)")
                try answer.request.expect("the body", answer.data, is: TransportTrial.letters(count))
            }
        },
        TransportBehavior("a body in chunks is whole") { trial in
            let answer = try await trial.answer(.get, "stream/50")
            let lines = answer.data.split(separator: UInt8(ascii: "\n"))
            let numbers = lines.map { (try? JSON(data: Data($0)))?.dictionary?["id"] as? Int }
            try answer.request.expect(numbers == Array(0..<50), "50 lines of JSON", received: "\(lines.count) lines")
        },
        TransportBehavior("gzip and deflate are decompressed") { trial in
            for (path, mark) in [("gzip", "gzipped"), ("deflate", "deflated")] {
                let answer = try await trial.answer(.get, path)
                let isPlain = (try? JSON(data: answer.data))?.dictionary?[mark] as? Bool
                try answer.request.expect(isPlain == true, "JSON", received: "\(answer.data.count) other bytes")
            }
        },
    ]
}

extension TransportTrial {
    fileprivate func expectArrival(of body: Data, _ method: HTTPMethod = .post) async throws {
        let answer = try await answer(method, "anything", body: body)
        try answer.request.expect("the body", answer.echo().body, is: body)
    }
}
