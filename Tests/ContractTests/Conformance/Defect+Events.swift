import Teapot

extension Defect {
    private static let endsOnce = "an exchange ends once, and nothing comes after that"
    private static let respondsOnce = "a response comes once, and before its body"

    /// What is wrong with the events, and with their order.
    static let events: [Defect] = [
        .events("finishes twice", [endsOnce]) { event, _, receive in
            receive(event)
            if case .finished = event { receive(event) }
        },
        .events("never finishes", [endsOnce], limit: .milliseconds(300)) { event, _, receive in
            if case .finished = event { return }
            receive(event)
        },
        .events("reports a piece after the end", [endsOnce]) { event, _, receive in
            receive(event)
            if case .finished = event { receive(.data(Data("late".utf8))) }
        },
        .events("reports a piece before the response", [respondsOnce]) { event, _, receive in
            if case .response = event { receive(.data(Data("early".utf8))) }
            receive(event)
        },
        .events("responds twice", [respondsOnce]) { event, _, receive in
            if case .response = event { receive(event) }
            receive(event)
        },
        .events("does not respond", [respondsOnce]) { event, _, receive in
            if case .response = event { return }
            receive(event)
        },
        .events("reports on a thread for each piece", ["events come one at a time"]) { event, _, receive in
            guard case .data = event else { return receive(event) }
            Thread.detachNewThread { receive(event) }
            receive(event)
        },
        .events("counts more than was sent", ["what is said to be sent of a body adds up to it"]) { event, _, receive in
            if case .response = event { receive(.sent(1)) }
            receive(event)
        },
        .events(
            "responds in the name of a server that is not there",
            ["a refused connection is an error without a response"]
        ) { event, request, receive in
            if case .finished(.some) = event, let url = request.url,
                let response = HTTPURLResponse(url: url, statusCode: 502, httpVersion: nil, headerFields: nil)
            {
                receive(.response(response))
            }
            receive(event)
        },
        .events(
            "keeps errors to itself",
            [
                "a refused connection is an error without a response",
                "cancelling before the response ends the exchange",
                "a body comes while it is sent, and cancelling in its midst ends the exchange",
                "cancelling many times, from several threads, ends the exchange once",
                "a call of a Teapot that is cancelled ends its exchange",
                "a call of a Teapot that times out ends its exchange",
            ]
        ) { event, _, receive in
            guard case .finished = event else { return receive(event) }
            receive(.finished(nil))
        },
    ]
}
