import Foundation

/// Parses streams of events, one after the other (HTML standard, sections 9.2.5 and 9.2.6).
struct ServerSentEventParser {
    /// The ID of the last event, or of a later event without data: the `Last-Event-ID` of the next request.
    private(set) var lastEventID: String
    /// The delay before the next request, set by the stream; three seconds by default.
    private(set) var retryDelay: Duration
    /// The maximum number of bytes in an event and in a line.
    private let limit: Int
    /// The details for the events and errors of a stream.
    var details = CallDetails.none
    private var splitter = LineSplitter()
    private var isAtStart = true
    /// The event that is being read. Each line of the data ends in LF.
    private var type = ""
    private var data = ""
    private var id: String

    init(lastEventID: String, limit: Int, retryDelay: Duration = .seconds(3)) {
        self.lastEventID = lastEventID
        self.limit = limit
        self.retryDelay = retryDelay
        id = lastEventID
    }

    /// Starts another stream. An incomplete event is discarded. An event without an ID keeps the last ID of the stream before, as
    /// in browsers; the standard clears it, which would lose the position.
    mutating func startOver() { self = Self(lastEventID: lastEventID, limit: limit, retryDelay: retryDelay) }

    mutating func append(_ chunk: Data) { splitter.append(chunk) }

    /// The next event; `nil` if there is no complete one.
    mutating func next() throws(TeapotError) -> Teapot.ServerSentEvent? {
        while var line = splitter.next() {
            if isAtStart, line.unicodeScalars.first == "\u{FEFF}" { line.removeFirst() }
            isAtStart = false
            try check(line.utf8.count)
            if !line.isEmpty { read(line) } else if let event = dispatch() { return event }
        }
        try check(splitter.count)
        return nil
    }

    private func check(_ size: Int) throws(TeapotError) {
        guard data.utf8.count + size > limit else { return }
        let limit = "\(limit)"
        let reason = FailureReason("an event has more than " + limit + " bytes")
        throw TeapotError(.responseTooLarge, "Teapot:ResponseTooLarge", [limit], cause: reason).with(details)
    }

    /// Reads a non-empty line. A comment has an empty name, unlike any field.
    private mutating func read(_ line: String) {
        // By bytes, because a combining character after the colon makes a different `Character`.
        let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var rest = line.utf8[colon...].dropFirst()
        if rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
        let value = String(Substring(rest))
        switch String(line[..<colon]) {
        case "data": data += value + "\n"
        case "event": type = value
        case "id" where !value.utf8.contains(0): id = value
        case "retry" where !value.isEmpty && ByteSet.digits.contains(allOf: value):
            // At most thirty years, because a longer delay can make a clock trap.
            retryDelay = .milliseconds(min(Int(value) ?? .max, 1_000_000_000_000))
        default: break
        }
    }

    /// Ends the event at an empty line. Without data there is no event, but its ID counts.
    private mutating func dispatch() -> Teapot.ServerSentEvent? {
        lastEventID = id
        defer {
            type = ""
            data = ""
        }
        guard data.popLast() != nil else { return nil }
        var event = Teapot.ServerSentEvent(data: data, type: type.isEmpty ? "message" : type, id: id)
        event.details = details
        return event
    }
}
