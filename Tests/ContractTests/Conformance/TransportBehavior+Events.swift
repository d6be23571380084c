import Teapot
import Testing

extension TransportBehavior {
    /// The events of an exchange, and their order.
    static let events = [
        TransportBehavior("a response comes once and before its body, and an end comes once and last") { trial in
            for (method, path) in exchanges {
                let exchange = trial.start(method, path)
                try await exchange.end()
                try await trial.settle()
                let steps = exchange.reported.steps.filter { $0 != .sent }
                let expected: [[EventRecord.Step]] = [[.response, .finished], [.response, .data, .finished]]
                #expect(expected.contains(steps), "\(exchange.name)")
            }
        },
        TransportBehavior("events come one at a time") { trial in
            // Taking one takes a while, as if it was written to a file: time for another to come.
            let exchange = trial.start(.get, "stream-bytes/100000?chunk_size=10000", pace: 0.002)
            try await exchange.end()
            #expect(exchange.mostAtOnce == 1)
        },
        TransportBehavior("what is said to be sent of a body adds up to it") { trial in
            let content = TransportTrial.letters(100_000)
            try await trial.withFile(content) { file in
                let exchanges = [
                    (trial.start(.post, "anything"), 0), (trial.start(.post, "anything", body: content), content.count),
                    (trial.start(.put, "anything", bodyFile: file), content.count),
                ]
                for (exchange, size) in exchanges {
                    // Or the transport does not report it.
                    let sent = try await exchange.end().sent
                    #expect([0, size].contains(sent), "\(exchange.name)")
                }
            }
        },
        TransportBehavior("a refused connection is an error without a response") { trial in
            let nobody = try #require(URL(string: "http://127.0.0.1:1"))
            let exchange = TransportTrial(transport: trial.transport, server: nobody).start(.get, "get")
            try await exchange.expectPrematureEnd()
            #expect(exchange.reported.response == nil)
        },
    ]

    /// Responses of each kind, as far as they differ in what is reported.
    private static let exchanges: [(Teapot.HTTPMethod, String)] = [
        (.get, "get"), (.head, "get"), (.post, "anything"), (.get, "status/204"), (.get, "status/304"),
        (.get, "status/401"), (.get, "status/404"), (.get, "redirect-to?url=/get"), (.get, "stream-bytes/50000"),
    ]
}
