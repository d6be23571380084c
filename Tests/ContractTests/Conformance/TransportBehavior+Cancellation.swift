import Teapot
import TestSupport
import Testing

extension TransportBehavior {
    /// Exchanges that are cancelled or held back. The server would take ten seconds, so that an exchange that
    /// ends earlier was cancelled. Nothing that must happen in that time waits until a task gets a thread.
    static let cancellation = [
        TransportBehavior("cancelling before the response ends the exchange") { trial in
            let exchange = trial.start(.get, "delay/10")
            exchange.cancel()
            try await exchange.expectPrematureEnd()
        },
        TransportBehavior("a body comes while it is sent, and cancelling in its midst ends the exchange") { trial in
            let exchange = trial.start(.get, "drip?numbytes=10&duration=10&delay=0", cancelsAtData: true)
            try await exchange.wait(for: "the first byte") { !$0.data.isEmpty }
            try await exchange.expectPrematureEnd()
        },
        TransportBehavior("cancelling while the body is made ends the exchange, and is no error of the body") { trial in
            let isRead = Signal()
            let pieces = AsyncThrowingStream<Data, any Error> {
                isRead.fire()
                try await Task.sleep(for: .seconds(3_600))
                return nil
            }
            let exchange = trial.start(.post, "post", pieces: Teapot.Request.Body.stream(pieces).pieces)
            await isRead.wait()
            exchange.cancel()
            let error = try await exchange.end().end ?? nil
            #expect((error as? URLError)?.code == .cancelled)
        },
        TransportBehavior("cancelling after the end does nothing") { trial in
            let exchange = trial.start(.get, "get")
            let steps = try await exchange.end().steps
            for _ in 1...3 { exchange.cancel() }
            try await trial.settle()
            #expect(exchange.reported.steps == steps)
        },
        TransportBehavior("cancelling many times, from several threads, ends the exchange once") { trial in
            let exchange = trial.start(.get, "delay/10")
            DispatchQueue.concurrentPerform(iterations: 20) { _ in exchange.cancel() }
            try await exchange.expectPrematureEnd()
            try await trial.settle()
            #expect(exchange.reported.steps == [.finished])
        },
        TransportBehavior("cancelling one exchange leaves others alone") { trial in
            let other = trial.start(.get, "delay/0.3")
            let exchange = trial.start(.get, "delay/10")
            exchange.cancel()
            try await exchange.expectPrematureEnd()
            _ = try await other.answer(200)
            try await trial.answer(.get, "get")
        },
        TransportBehavior("an exchange that is held back goes on when asked to") { trial in
            let exchange = trial.start(.get, "drip?numbytes=5&duration=0.5&delay=0")
            exchange.suspendAndResume()
            try await exchange.wait(for: "the first byte") { !$0.data.isEmpty }
            exchange.suspendAndResume()
            #expect(try await exchange.answer(200).data == Data("*****".utf8))
        },
    ]

    /// Many exchanges of one transport.
    static let concurrency = [
        TransportBehavior("50 exchanges at once do not mix") { trial in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...50 {
                    group.addTask {
                        let body = Data("\(number)".utf8)
                        let path = "anything/\(number)"
                        let echo = try await trial.answer(.post, path, body: body).echo()
                        #expect(echo.body == body)
                        #expect(echo.url?.hasSuffix(path) == true)
                    }
                }
                try await group.waitForAll()
            }
        }
    ]
}
