import Teapot

/// The events that a transport has reported of one exchange.
struct EventRecord: Sendable {
    enum Step: Sendable {
        case sent, response, data, finished
    }

    /// The events in order; consecutive pieces of a body are one step.
    private(set) var steps: [Step] = []
    private(set) var response: HTTPURLResponse?
    private(set) var data = Data()
    /// In bytes.
    private(set) var sent = 0
    /// The outcome, if it has one; the first, if it has several.
    private(set) var end: (any Error)??

    mutating func add(_ event: TransportEvent) {
        switch event.kind {
        case .sent(let count):
            sent &+= count
            add(.sent)
        case .response(let head):
            response = response ?? head.http
            add(.response)
        case .data(let piece):
            data += piece
            add(.data)
        case .measured, .queued, .scheduled: break
        case .finished(let error):
            if end == nil { end = .some(error) }
            add(.finished)
        }
    }

    private mutating func add(_ step: Step) {
        let goesOn = step == steps.last && (step == .sent || step == .data)
        if !goesOn { steps.append(step) }
    }

    /// The response, how it ended, and, unless it is whole, what came of its body.
    var outcome: String {
        let status = response.map { "status \($0.statusCode)" } ?? "no response"
        if case .some(nil) = end { return status }
        let part = response == nil ? status : "\(status) with \(data.count) bytes"
        return part + " and " + ((end ?? nil).map { "\($0)" } ?? "no end")
    }
}
