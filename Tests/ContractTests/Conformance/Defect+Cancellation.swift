import Teapot
import TestSupport

extension Defect {
    private static let midst = "a body comes while it is sent, and cancelling in its midst ends the exchange"
    private static let manyTimes = "cancelling many times, from several threads, ends the exchange once"

    /// What is wrong with cancelling, with holding back, and with several exchanges at once.
    static let cancellation: [Defect] = [
        Defect(
            "does not cancel",
            [
                "cancelling before the response ends the exchange", midst, manyTimes,
                "a call of a Teapot that is cancelled ends its exchange",
                "a call of a Teapot that times out ends its exchange",
            ],
            limit: .milliseconds(300)
        ) {
            WrongTransport { base, request, file, receive in
                _ = base.start(request, bodyFile: file, receive: receive)
                return WrongTask()
            }
        },
        Defect("comes to an end with each cancelling", ["cancelling after the end does nothing", manyTimes]) {
            WrongTransport { base, request, file, receive in
                let task = base.start(request, bodyFile: file, receive: receive)
                return WrongTask(onCancel: {
                    task.cancel()
                    receive(.finished(URLError(.cancelled)))
                })
            }
        },
        Defect("cancels all exchanges", ["cancelling one exchange leaves others alone"]) {
            let tasks = Locked<[any TransportTask]>([])
            return WrongTransport { base, request, file, receive in
                let task = base.start(request, bodyFile: file, receive: receive)
                tasks.withLock { $0.append(task) }
                return WrongTask(onCancel: { tasks.withLock { $0 }.forEach { $0.cancel() } })
            }
        },
        Defect("gathers bodies", [midst], limit: .milliseconds(300)) {
            WrongTransport { base, request, file, receive in
                let body = Locked(Data())
                return base.start(request, bodyFile: file) { event in
                    if case .data(let data) = event { return body.withLock { $0 += data } }
                    if case .finished = event { receive(.data(body.withLock { $0 })) }
                    receive(event)
                }
            }
        },
        Defect(
            "does not go on once it was held back",
            ["an exchange that is held back goes on when asked to"],
            limit: .milliseconds(300)
        ) {
            WrongTransport { base, request, file, receive in
                let isHeldBack = Locked(false)
                _ = base.start(request, bodyFile: file) { event in
                    if !isHeldBack.withLock({ $0 }) { receive(event) }
                }
                return WrongTask(onSuspend: { isHeldBack.withLock { $0 = true } })
            }
        },
        Defect("mixes exchanges", ["50 exchanges at once do not mix"]) {
            let waiting = Locked<(URLRequest, WrongTransport.Receive)?>(nil)
            return WrongTransport { base, request, file, receive in
                let other = waiting.withLock { waiting in
                    defer { waiting = waiting == nil ? (request, receive) : nil }
                    return waiting
                }
                // Each gets what the other asked for.
                if let other {
                    _ = base.start(request, bodyFile: file, receive: other.1)
                    _ = base.start(other.0, bodyFile: nil, receive: receive)
                }
                return WrongTask()
            }
        },
    ]
}
