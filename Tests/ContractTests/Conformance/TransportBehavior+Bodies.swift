import Teapot
import Testing

extension TransportBehavior {
    /// The bodies of requests, as servers receive them.
    static let requestBodies = [
        TransportBehavior("a body in memory arrives byte for byte, whatever its method") { trial in
            for method in [Teapot.HTTPMethod.post, .put, .patch, .delete] {
                for body in [Data("tea".utf8), TransportTrial.bytes(1_024)] {
                    let echo = try await trial.answer(method, "anything", body: body).echo()
                    #expect(echo.body == body)
                }
            }
        },
        TransportBehavior("a request without a body has none") { trial in
            let answer = try await trial.answer(.post, "anything")
            #expect(try ["", "0"].contains(answer.echo().header("Content-Length") ?? ""))
        },
        TransportBehavior("a body arrives with its type and its length") { trial in
            let fields = [("Content-Type", "text/x-tea; kind=green")]
            let body = Data("tea".utf8)
            let echo = try await trial.answer(.post, "anything", headerFields: fields, body: body).echo()
            #expect(echo.header("Content-Type") == fields[0].1)
            #expect(echo.header("Content-Length") == "3")
        },
        TransportBehavior("a body of 1 MB arrives, and comes back") { trial in
            let body = TransportTrial.letters(1 << 20)
            let echo = try await trial.answer(.post, "anything", body: body).echo()
            #expect(echo.body == body)
        },
        TransportBehavior("a body in a file arrives byte for byte, with its length") { trial in
            for content in [Data("tea".utf8), TransportTrial.bytes(300_000)] {
                let echo = try await trial.withFile(content) { file in
                    try await trial.answer(.put, "anything", bodyFile: file).echo()
                }
                #expect(echo.body == content)
                #expect(echo.header("Content-Length") == "\(content.count)")
            }
        },
    ]

    /// The bodies of responses.
    static let responseBodies = [
        TransportBehavior("a body is whole") { trial in
            for count in [1, 100_000] {
                let answer = try await trial.answer(.get, "range/\(count)")
                #expect(answer.data == TransportTrial.letters(count))
            }
        },
        TransportBehavior("a body in chunks is whole") { trial in
            let answer = try await trial.answer(.get, "stream/50")
            let lines = answer.data.split(separator: UInt8(ascii: "\n"))
            #expect(lines.map { (try? JSON(data: Data($0)))?.dictionary?["id"] as? Int } == Array(0..<50))
        },
    ]

    /// For transports that let servers compress.
    static let codings = [
        TransportBehavior("gzip and deflate are decompressed") { trial in
            for (path, mark) in [("gzip", "gzipped"), ("deflate", "deflated")] {
                let answer = try await trial.answer(.get, path)
                #expect(try JSON(data: answer.data).dictionary?[mark] as? Bool == true)
            }
        }
    ]
}
