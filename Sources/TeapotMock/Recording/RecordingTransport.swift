public import Teapot

/// A transport that records the traffic of another one, for a file that a ``MockTeapot`` replays.
///
/// ```swift
/// let recording = RecordingTransport()
/// let teapot = Teapot(baseURL: baseURL, transport: recording)
/// let notes = try await teapot.get("notes")
/// try recording.write(to: file)
/// ```
///
/// Only such a transport records, and only ``write(to:)`` writes a file. Requests, responses and the client's errors are
/// unchanged.
///
/// The file is an HTTP Archive (HAR 1.2), which browsers and other tools can read. It contains each completed exchange, in
/// order of their start: redirects hop by hop, and failures with their error. Cancelled exchanges are left out; so are those
/// that the client ended, by its timeout or `maximumResponseSize`. No times are written, so that two recordings of the same
/// traffic are identical.
///
/// The recorded traffic, bodies and secrets included, is kept in memory unchanged as long as the transport exists. Secrets are
/// redacted when it is written; see ``write(to:)``.
public final class RecordingTransport: Transport {
    private let transport: any Transport
    private let secretPolicy: SecretPolicy
    private let keptMediaTypes: [String]
    /// In order of their start; `nil` for running and for cancelled exchanges.
    private let exchanges = Locked<[RecordedExchange?]>([])
    /// The replay for which it records what is missing.
    private let earlier = Locked<Replay?>(nil)

    /// Makes a transport that records.
    ///
    /// - Parameters:
    ///   - transport: The transport that carries the requests.
    ///   - secretPolicy: Decides which values are redacted in the file, with the names that the client's own policy adds.
    ///   - keptMediaTypes: Media types, such as `application/xml`, whose bodies are written even if the names in them cannot be
    ///     recognized: see ``write(to:)``. They are compared with the type and subtype in `Content-Type`, without its parameters.
    public init(
        wrapping transport: any Transport = URLSessionTransport(),
        secretPolicy: SecretPolicy = .standard,
        keptMediaTypes: Set<String> = []
    ) {
        self.transport = transport
        self.secretPolicy = secretPolicy
        self.keptMediaTypes = keptMediaTypes.map { MediaType($0).name }.filter { !$0.isEmpty }
    }

    /// The file that is written has the entries of a replay, too.
    func add(to replay: Replay) { earlier.withLock { $0 = replay } }

    /// Starts one exchange of the other transport, and passes its events on.
    public func start(_ request: TransportRequest, receive: @escaping @Sendable (TransportEvent) -> Void)
        -> (any TransportTask)?
    {
        // The place is taken at the start, as exchanges may end in another order.
        let number = exchanges.withLock { exchanges in
            exchanges.append(nil)
            return exchanges.count - 1
        }
        // The file may be gone before the exchange is over.
        let underWay = Locked(RecordedExchange(request))
        return transport.start(request) { event in
            let ended = underWay.withLock { $0.take(event) ? $0 : nil }
            if let ended { self.exchanges.withLock { $0[number] = ended } }
            receive(event)
        }
    }

    /// Writes the traffic recorded so far.
    ///
    /// Values that the secret policy names are replaced by `redacted-1`, `redacted-2` and so on, one for each value: in URLs, header
    /// fields, cookies, forms and other text, and in JSON wherever it stands in text: in event streams, sequences, calls, and strings of
    /// JSON. So is the value of a `Credential`, whatever its header field.
    ///
    /// Servers repeat values: a redacted value is also replaced everywhere else in the recording, encoded or not, if it has 6
    /// bytes or more; for `Authorization` and cookies that applies to each part except the user of `Basic`. A number in JSON with such
    /// a value becomes a string. `Content-Type` is not changed, and dates do not count, nor do plain words in a response under such a
    /// name, as in `"password": "is required"`.
    ///
    /// Text whose names cannot be recognized (JSON that was cut off, a multipart body, XML, UTF-16), request bodies with a
    /// `Content-Encoding`, and binary data that contains such a value are left out, with a comment. Images and other binary
    /// bodies are written unchanged.
    ///
    /// A body in UTF-8 of one of the transport's `keptMediaTypes` is written, and what can be recognized in it is redacted: URLs,
    /// attributes and elements, and all values that are redacted elsewhere in the recording, with references such as `&amp;` as well.
    /// The parts of a form are written as they are, whatever their names. A body that begins like XML and in which tags and text cannot be
    /// told apart, or that contains such a value across several of them, is left out.
    ///
    /// Not recognized are secrets without a name, names that are escaped in text that is not JSON (`tok\u0065n`), the `value`
    /// of a form field in HTML, property lists, blocks of YAML, and copies that are escaped for HTML: check files before you commit
    /// them.
    ///
    /// If the transport records what is missing in a recording, the entries of that one are written first.
    ///
    /// - Parameter file: The file to write; an existing one is replaced.
    /// - Throws: `fileError`; the existing file is then unchanged.
    public func write(to file: URL) throws(TeapotError) {
        let exchanges = exchanges.withLock { $0 }.compactMap(\.self)
        let earlier = earlier.withLock { $0 }
        do {
            let archive = try Recording.archive(of: exchanges, secretPolicy, keeping: keptMediaTypes, after: earlier)
            try archive.encoded().write(to: file, options: .atomic)
        } catch {
            throw .fileError(file, error.reason)
        }
    }
}
