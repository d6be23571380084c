import Teapot

extension TransportBehavior {
    /// The events of an exchange, and their order.
    static let events = [
        TransportBehavior("an exchange ends once, and nothing comes after that") { trial in
            for (method, path) in exchanges {
                let exchange = trial.start(method, path)
                try await exchange.end()
                try await trial.settle()
                let steps = exchange.reported.steps
                try exchange.request.expect(
                    steps.last == .finished && steps.filter { $0 == .finished }.count == 1,
                    "finished, once and last",
                    received: exchange.reported.outline
                )
            }
        },
        TransportBehavior("a response comes once, and before its body") { trial in
            for (method, path) in exchanges {
                let exchange = trial.start(method, path)
                let steps = try await exchange.end().steps.filter { $0 != .sent }
                try exchange.request.expect(
                    steps.first == .response && steps.filter { $0 == .response }.count == 1,
                    "response, once and first",
                    received: exchange.reported.outline
                )
            }
        },
        TransportBehavior("events come one at a time") { trial in
            // Taking one takes a while, as if it was written to a file: time for another to come.
            let exchange = trial.start(.get, "stream-bytes/100000?chunk_size=10000", pace: 0.002)
            try await exchange.end()
            try exchange.request.expect("events at once:", exchange.mostAtOnce, is: 1)
        },
        TransportBehavior("what is said to be sent of a body adds up to it") { trial in
            let content = TransportTrial.letters(100_000)
            try await trial.withFile(content) { file in
                let exchanges = [
                    (trial.start(.post, "anything"), 0), (trial.start(.post, "anything", body: content), content.count),
                    (trial.start(.put, "anything", bodyFile: file), content.count),
                ]
                for (exchange, size) in exchanges {
                    let sent = try await exchange.end().sent
                    let expected = "\(size) bytes sent, or no word of it"
                    try exchange.request.expect([0, size].contains(sent), expected, received: "\(sent)")
                }
            }
        },
        TransportBehavior("a refused connection is an error without a response") { trial in
            let nobody = TransportTrial(
                behavior: trial.behavior,
                transport: trial.transport,
                server: URL(string: "http://127.0.0.1:1") ?? trial.server,
                limit: trial.limit
            )
            let exchange = nobody.start(.get, "get")
            try await exchange.expectPrematureEnd()
            try exchange.request.expect(
                exchange.reported.response == nil,
                "no response",
                received: exchange.reported.outcome
            )
        },
    ]

    /// Responses of each kind, as far as they differ in what is reported.
    private static let exchanges: [(HTTPMethod, String)] = [
        (.get, "get"), (.head, "get"), (.post, "anything"), (.get, "status/204"), (.get, "status/304"),
        (.get, "status/401"), (.get, "status/404"), (.get, "redirect-to?url=/get"), (.get, "stream-bytes/50000"),
    ]
}
