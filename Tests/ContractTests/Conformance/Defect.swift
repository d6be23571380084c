import Teapot
import Testing

/// One thing that a transport does wrong, and the rows of the table that have to say so.
struct Defect: Sendable, CustomTestStringConvertible {
    let name: String
    let rows: [String]
    /// Short where the defect is that something never happens.
    let limit: Duration
    let makeTransport: @Sendable () -> any Transport

    var testDescription: String { name }

    static let all = events + responses + requests + bodies + cancellation

    init(
        _ name: String,
        _ rows: [String],
        limit: Duration = .seconds(30),
        _ makeTransport: @escaping @Sendable () -> any Transport
    ) {
        (self.name, self.rows, self.limit, self.makeTransport) = (name, rows, limit, makeTransport)
    }

    /// A defect of what is sent.
    static func request(
        _ name: String,
        _ rows: [String],
        _ change: @escaping @Sendable (inout URLRequest) -> Void
    ) -> Defect {
        Defect(name, rows) {
            WrongTransport { base, request, file, receive in
                var request = request
                change(&request)
                return base.start(request, bodyFile: file, receive: receive)
            }
        }
    }

    /// A defect of what is reported: gets an event, the request, and what takes events in place of that one.
    static func events(
        _ name: String,
        _ rows: [String],
        limit: Duration = .seconds(30),
        _ change: @escaping @Sendable (TransportEvent, URLRequest, @escaping WrongTransport.Receive) -> Void
    ) -> Defect {
        Defect(name, rows, limit: limit) {
            WrongTransport { base, request, file, receive in
                base.start(request, bodyFile: file) { change($0, request, receive) }
            }
        }
    }

    /// A defect of the responses that are reported.
    static func response(
        _ name: String,
        _ rows: [String],
        _ change: @escaping @Sendable (HTTPURLResponse) -> HTTPURLResponse
    ) -> Defect {
        events(name, rows) { event, _, receive in
            guard case .response(let response) = event else { return receive(event) }
            receive(.response(change(response)))
        }
    }

    /// A defect of the pieces of bodies that are reported.
    static func data(_ name: String, _ rows: [String], _ change: @escaping @Sendable (Data, URLRequest) -> Data)
        -> Defect
    {
        events(name, rows) { event, request, receive in
            guard case .data(let data) = event else { return receive(event) }
            receive(.data(change(data, request)))
        }
    }
}
