public import TeapotFoundation

/// An event that a ``Transport`` reports for one exchange.
///
/// This is no enum, as later versions may add kinds: a transport that passes events on passes on those that it does not know.
public struct TransportEvent: Sendable, CustomReflectable {
    package enum Kind: Sendable {
        case sent(Int)
        case response(ResponseHead)
        case data(Data)
        indirect case measured(Teapot.Timings)
        case finished((any Error)?)
        /// The exchange waits in line for one of so many connections to an origin, or in all (`nil`). If the transport reports movement,
        /// the timeout runs while a response is held back there and nothing moves.
        indirect case queued(Origin?, connections: Int, movement: LineMovement? = nil)
        /// More events come at these times from now on, each when the call asks for it: one call has one timer.
        indirect case scheduled([Duration], next: @Sendable () -> Void)
    }

    package let kind: Kind

    package init(_ kind: Kind) { self.kind = kind }

    /// More bytes of the request's body were sent: progress, for the timeout and for the caller of an upload. Zero if the
    /// server showed activity in another way, such as with a 102 (RFC 2518, section 10.1).
    public static func sent(_ count: Int) -> TransportEvent { TransportEvent(.sent(count)) }

    /// The status and header fields arrived. At most once, and before any data.
    public static func response(_ response: HTTPURLResponse) -> TransportEvent {
        TransportEvent(.response(.foundation(response)))
    }

    /// The same as ``response(_:)`` without Foundation's type, which is slow to make and joins cookies.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - status: The status. It is not checked: one below 200 or above 299 fails the call with `invalidResponseStatus`.
    ///   - fields: The header fields as received, each `Set-Cookie` for itself. A name that is no token is left out; a line break or NUL in
    ///     a value becomes a space (RFC 9110, section 5.5).
    /// - Returns: The event.
    public static func response(from url: URL, status: Int, fields: [(name: String, value: String)]) -> TransportEvent {
        var lines = FieldLines()
        for (name, value) in fields where HeaderFieldRules.isToken(name) {
            lines.append(name, HeaderFieldRules.withoutDangerousOctets(value).withoutOuterBlanks)
        }
        return TransportEvent(.response(ResponseHead(url: url, status: status, lines: lines, hasSeparateCookies: true)))
    }

    /// The exchange waits in line for a connection. Until the next event, its timeout does not begin; if the deadline passes, the error
    /// says so. ``Teapot/Teapot/Timings/queued`` of the measurements is the time that it took.
    ///
    /// - Parameters:
    ///   - url: The URL of the request. Without an http or https URL with a host, the event is `sent(0)`, and the timeout begins.
    ///   - connections: The number of connections to the host, at least one.
    /// - Returns: The event.
    public static func queued(for url: URL, connections: Int) -> TransportEvent {
        Origin(url).map { TransportEvent(.queued($0, connections: max(connections, 1))) } ?? .sent(0)
    }

    /// A piece of the body arrived, decompressed. An empty one says that a compressed body of no bytes has arrived: a compressed body
    /// without any piece counts as cut off.
    public static func data(_ data: Data) -> TransportEvent { TransportEvent(.data(data)) }

    /// The transport's measurements, before the end; not all transports have them. The last ones count, and replace those before.
    public static func measured(_ timings: Teapot.Timings) -> TransportEvent { TransportEvent(.measured(timings)) }

    /// The exchange is over: `nil` if the response is complete. A ``TeapotError`` reaches the caller unchanged, any other error
    /// as the cause of `noResponse` or `dataTaskError`.
    public static func finished(_ error: (any Error)?) -> TransportEvent { TransportEvent(.finished(error)) }

    /// The status and header fields, if this is ``response(_:)``.
    public var response: HTTPURLResponse? { if case .response(let head) = kind { head.http } else { nil } }

    /// The piece of the body, if this is ``data(_:)``.
    public var data: Data? { if case .data(let data) = kind { data } else { nil } }

    /// The measurements, if this is ``measured(_:)``.
    public var timings: Teapot.Timings? { if case .measured(let timings) = kind { timings } else { nil } }

    /// Whether this is ``finished(_:)``.
    public var isFinished: Bool { if case .finished = kind { true } else { false } }

    /// The error of the exchange, if this is ``finished(_:)`` with one.
    public var error: (any Error)? { if case .finished(let error) = kind { error } else { nil } }

    /// The kind of the event, with the number of bytes or the status; header fields, bodies and errors are not shown.
    public var customMirror: Mirror {
        let text =
            switch kind {
            case .sent(let count): "sent \(count) bytes"
            case .response(let head): "response \(head.status)"
            case .data(let data): "data of \(data.count) bytes"
            case .measured: "measured"
            case .finished(let error): error == nil ? "finished" : "failed"
            case .queued: "queued"
            case .scheduled: "scheduled"
            }
        return Mirror(self, shown: ["event": text])
    }
}
