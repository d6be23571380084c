public import Teapot

/// A transport that records what passes through another one, to write it to a file that a ``MockTeapot`` replays.
///
/// ```swift
/// let recording = RecordingTransport()
/// let teapot = Teapot(baseURL: baseURL, transport: recording)
/// let notes = try await teapot.get("notes")
/// try recording.write(to: file)
/// ```
///
/// Nothing is recorded unless such a transport is made, and nothing is written unless ``write(to:)`` is called. Requests,
/// responses and the client's errors are what they are without it.
///
/// The file is an HTTP Archive (HAR 1.2), which browsers and other tools read. It holds each exchange that came to its end, in
/// the order in which they were started: redirects hop by hop, and those that failed or broke off, with their error. Those
/// that were cancelled are left out; so are those that the client ended, by its timeout or `maximumResponseSize`. No times are
/// written, so that two recordings of the same traffic are the same bytes.
///
/// What was recorded, bodies and secrets included, is held in memory, as it was, for as long as the transport is. Secrets are
/// taken out of what is written; see ``write(to:)``.
public final class RecordingTransport: Transport, InformedTransport {
    private let transport: any Transport
    private let informed: any InformedTransport
    private let secretPolicy: SecretPolicy
    /// In the order of their start; `nil` for those under way and those that were cancelled.
    private let exchanges: Locked<[RecordedExchange?]>

    /// Makes a transport that records.
    ///
    /// - Parameters:
    ///   - transport: What carries the requests.
    ///   - secretPolicy: Which values are left out of what is written.
    public init(wrapping transport: any Transport = URLSessionTransport(), secretPolicy: SecretPolicy = .standard) {
        self.transport = transport
        self.secretPolicy = secretPolicy
        informed = transport.informed
        exchanges = Locked([])
    }

    /// Records what passes through another one together with what passes through the first.
    private init(_ other: RecordingTransport, wrapping informed: any InformedTransport) {
        (transport, secretPolicy, exchanges) = (other.transport, other.secretPolicy, other.exchanges)
        self.informed = informed
    }

    package var answersAtOnce: Bool { informed.answersAtOnce }

    package var forBlocking: any InformedTransport { RecordingTransport(self, wrapping: informed.forBlocking) }

    /// Starts one exchange of the other transport, whose events are passed on as they come.
    public func start(
        _ request: URLRequest,
        bodyFile: URL?,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        record(request, [], bodyFile, receive) { transport.start(request, bodyFile: bodyFile, receive: $0) }
    }

    package func start(
        _ request: URLRequest,
        _ details: ExchangeDetails,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> StartedExchange {
        record(request, details.credentials, details.bodyFile?.url, receive) {
            informed.start(request, details, receive: $0)
        }
    }

    private func record<Started>(
        _ request: URLRequest,
        _ credentials: [Credential],
        _ bodyFile: URL?,
        _ receive: @escaping @Sendable (TransportEvent) -> Void,
        _ start: (@escaping @Sendable (TransportEvent) -> Void) -> Started
    ) -> Started {
        let number = exchanges.withLock { exchanges in
            exchanges.append(nil)
            return exchanges.count - 1
        }
        // The file may be gone before the exchange is over.
        let underWay = Locked(RecordedExchange(request, credentials, bodyFile: bodyFile))
        return start { event in
            let ended = underWay.withLock { $0.take(event) ? $0 : nil }
            if let ended { self.exchanges.withLock { $0[number] = ended } }
            receive(event)
        }
    }

    /// Writes what was recorded so far.
    ///
    /// Values that the secret policy names are replaced by `<redacted>`: in URLs, header fields, cookies, JSON, forms and other
    /// text, and in URLs, JSON and items that are encoded within items, three levels deep. So is the value of a `Credential`,
    /// whatever its header field is called.
    ///
    /// Servers echo: what was found there is also replaced wherever else it stands in the recording, encoded or not, from
    /// 6 bytes on, unless a letter or digit stands directly before or after it; of `Authorization` and cookies that goes for
    /// each part but the user of `Basic`. A number in JSON that is such a value becomes the string `"<redacted>"`.
    /// `Content-Type` is left as it is, and plain words that a response has under such a name, as in
    /// `"password": "is required"`, are no echoes.
    ///
    /// Text whose names cannot be told (JSON that was cut off, a multipart form, UTF-16), request bodies with a
    /// `Content-Encoding`, and bytes that hold such a value, are left out, and a comment says so. Images and other bodies that are
    /// no text are written as they are.
    ///
    /// A secret that is in no place that has a name is not seen, nor are names that are escaped in text that is no JSON
    /// (`tok\u0065n`), the `value` of a form field in HTML, property lists, blocks of YAML, and echoes that are escaped for
    /// HTML: look at what you commit.
    ///
    /// - Parameter file: Where to write it; what is there is replaced.
    /// - Throws: `fileError`, and the file is as it was.
    public func write(to file: URL) throws(TeapotError) {
        let exchanges = exchanges.withLock { $0 }.compactMap(\.self)
        do {
            try Recording.archive(of: exchanges, secretPolicy).encoded().write(to: file, options: .atomic)
        } catch {
            throw .fileError(file, error.reason)
        }
    }
}
