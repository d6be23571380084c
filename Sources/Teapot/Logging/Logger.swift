public import TeapotFoundation

/// Logs the requests and responses of a ``Teapot/Teapot``, secrets redacted, and messages of your own. It can be used from any
/// thread.
public final class Logger: Sendable {
    /// The amount of logging; each level includes the ones before it. There will never be other levels.
    public enum LogLevel: Comparable, Sendable {
        /// Nothing.
        case none
        /// Errors.
        case error
        /// Status, header fields and body of each response, too.
        case incomingData
        /// Method, URL, header fields and body of each request, too.
        case incomingAndOutgoingData

        fileprivate var label: String { self == .error ? "error" : self == .incomingData ? "incoming" : "outgoing" }
    }

    /// An entry of the log. That of a call has parts, secrets redacted; a message of your own is written as it is.
    public struct Entry: Sendable {
        /// The level at which it is written.
        public let level: LogLevel
        /// The time.
        public let date: Date
        /// The source file and line of a message of your own, such as `Client/API.swift:12 `.
        let place: String
        /// The entry without time and level: one or more lines, control characters escaped, and those after the first indented.
        public internal(set) var message = ""
        /// The number of the request: see ``Teapot/Teapot/SentRequest/id``.
        public internal(set) var requestID: Int?
        /// The method of the request, such as `GET`.
        public internal(set) var method: String?
        /// The URL of the request.
        public internal(set) var url: String?
        /// The number of the attempt, from 1 on.
        public internal(set) var attempt: Int?
        /// The status of the response.
        public internal(set) var status: Int?
        /// The time since the request was sent.
        public internal(set) var duration: Duration?

        /// The entry as a ``Logger`` with a `String` output writes it.
        public var text: String { "\(date.formatted(.iso8601)) [\(level.label)] \(place)\(message)" }
    }

    private let level: Locked<LogLevel>
    private let output: @Sendable (Entry) -> Void

    /// Makes a logger. Its output, by default standard output, takes each entry: one or more lines without a line break
    /// at the end. Lines after the first are indented, so that no text of a server looks like an entry. The output is
    /// called on any thread, on several at once, and must not wait: calls make no progress meanwhile.
    public convenience init(level: LogLevel = .none, output: @escaping @Sendable (String) -> Void = { print($0) }) {
        self.init(level) { output($0.text) }
    }

    private init(_ level: LogLevel, _ output: @escaping @Sendable (Entry) -> Void) {
        self.level = Locked(level)
        self.output = output
    }

    /// Makes a logger for another log, whose entries have fields: see <doc:Logging>. The output is called on any
    /// thread, on several at once, and must not wait: calls make no progress meanwhile.
    public static func entries(level: LogLevel, to output: @escaping @Sendable (Entry) -> Void) -> Logger {
        Logger(level, output)
    }

    /// Writes an entry and a line break to standard error, for tools whose standard output is their result:
    /// `Logger(level: .error, output: Logger.standardError)`.
    @Sendable public static func standardError(_ entry: String) {
        // There is nowhere to report that it cannot be written.
        try? FileHandle.standardError.write(contentsOf: Data("\(entry)\n".utf8))
    }

    /// The level of logging.
    public var currentLevel: LogLevel {
        get { level.withLock { $0 } }
        set { level.withLock { $0 = newValue } }
    }

    /// Writes a message at the level ``LogLevel/error``, with the source file and line that log it and the time `date`, and
    /// returns whether it was written. The message is evaluated only if it is written. Secrets in it are not redacted.
    @discardableResult public func errorLog(
        _ message: @autoclosure () -> String,
        file: StaticString = #fileID,
        line: UInt = #line,
        at date: Date = Date()
    ) -> Bool { write(.error, from: "\(file):\(line) ", at: date) { _ in message() } }

    /// Writes a message at the level ``LogLevel/incomingData``, otherwise as ``errorLog(_:file:line:at:)``.
    @discardableResult public func incomingDataLog(
        _ message: @autoclosure () -> String,
        file: StaticString = #fileID,
        line: UInt = #line,
        at date: Date = Date()
    ) -> Bool { write(.incomingData, from: "\(file):\(line) ", at: date) { _ in message() } }

    /// Writes a message at the level ``LogLevel/incomingAndOutgoingData``, otherwise as ``errorLog(_:file:line:at:)``.
    @discardableResult public func incomingAndOutgoingDataLog(
        _ message: @autoclosure () -> String,
        file: StaticString = #fileID,
        line: UInt = #line,
        at date: Date = Date()
    ) -> Bool { write(.incomingAndOutgoingData, from: "\(file):\(line) ", at: date) { _ in message() } }

    /// A body as it is logged under the standard secret policy: JSON indented and other text unchanged, both with secrets
    /// redacted; for other bytes, or more than 256 KB, only their number; `[no data]` for `nil`.
    public static func logString(from data: Data?) -> String {
        data.map { SecretPolicy.standard.redacted(body: $0) } ?? "[no data]"
    }

    /// Header fields as they are logged under the standard secret policy: one per line, sorted by name, secrets
    /// redacted; empty for no response, or one that is not an HTTP response.
    public static func logHeaderString(from response: URLResponse?) -> String {
        guard let response = response as? HTTPURLResponse else { return "" }
        return Teapot.HeaderFields(response).description
    }

    /// Writes an entry if the level is high enough. `message` may also set its fields.
    @discardableResult func write(
        _ level: LogLevel,
        from place: String = "",
        at date: Date = Date(),
        _ message: (inout Entry) -> String
    ) -> Bool {
        guard currentLevel >= level else { return false }
        var entry = Entry(level: level, date: date, place: place)
        entry.message = message(&entry).escapingControlCharacters(lineFeed: "\n    ")
        output(entry)
        return true
    }
}
