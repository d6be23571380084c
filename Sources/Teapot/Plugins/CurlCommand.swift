internal import TeapotFoundation

/// The command line for `curl` that sends a request.
struct CurlCommand {
    /// How curl gets the body.
    private enum Body {
        case argument(String)
        case file(String)
        /// What writes it to standard input.
        case output(of: String)
    }

    private let request: URLRequest
    private let bodyFile: URL?
    private let secrets: SecretPolicy
    private let showsSecrets: Bool

    init(of request: Teapot.SentRequest, showsSecrets: Bool) {
        self.request = request.urlRequest
        bodyFile = request.bodyFile
        secrets = request.secrets
        self.showsSecrets = showsSecrets
    }

    var text: String {
        let body = body
        var words = ["curl", Self.word(url)]
        if url.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
        words += methodWords + headerFields
        // Transports ask for compressed answers.
        words.append("--compressed")
        switch body {
        case nil: break
        case .argument(let text): words += ["--data-raw", Self.word(text)]
        case .file(let path): words += ["--data-binary", Self.word("@\(path)")]
        case .output(let command): words = [command, "|"] + words + ["--data-binary", "@-"]
        }
        return words.joined(separator: " ")
    }

    private static func word(_ text: String) -> String { ShellWord(text).text }

    // MARK: - What is shown

    /// A text as it is, unless the log shows it without a secret.
    private func visible(_ text: String, _ redacted: (SecretPolicy) -> String) -> String {
        let visible = redacted(secrets)
        return showsSecrets || visible == redacted(.off) ? text : visible
    }

    private var url: String {
        guard let url = request.url else { return "" }
        return visible(url.absoluteString) { $0.redacted(url) }
    }

    private var method: String { request.httpMethod ?? "GET" }

    private var methodWords: [String] {
        // With the method alone curl would wait for the body of an answer to HEAD, which has none.
        if method == "HEAD" { return ["--head"] }
        return method == "GET" && !hasBody ? [] : ["--request", Self.word(method)]
    }

    // MARK: - Header fields

    private var headerFields: [String] {
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        let own = fields.map { name, value in
            let value = visible(value) { $0.redacted(value, named: name) }
            return value.isEmpty ? "\(name);" : "\(name): \(value)"
        }
        return (own + corrections).flatMap { ["--header", Self.word($0)] }
    }

    /// What transports do about bodies, and curl by itself does not, or the other way round. A name with a colon and nothing
    /// behind it is a field to leave out.
    private var corrections: [String] {
        guard hasBody else { return ["GET", "HEAD"].contains(method) ? [] : ["Content-Length: 0"] }
        var corrections: [String] = []
        // Both take the body of a POST for a form if nobody says what it is, but a transport not that of a file.
        if method != "POST" || bodyFile != nil, request.value(forHTTPHeaderField: "Content-Type") == nil {
            corrections.append("Content-Type:")
        }
        let isLong = request.httpBody.map { $0.count > Self.maximumUnannouncedLength } ?? true
        if isLong, request.value(forHTTPHeaderField: "Expect") == nil { corrections.append("Expect:") }
        return corrections
    }

    /// In bytes. Before it sends a longer body curl asks (`Expect: 100-continue`); newer ones do so from a megabyte on.
    private static let maximumUnannouncedLength = 1_024

    // MARK: - The body

    private var hasBody: Bool { request.httpBody != nil || bodyFile != nil }

    private var body: Body? {
        guard let data = request.httpBody else { return (bodyFile?.path).map(Body.file) }
        guard let text = visibleText(of: data) else {
            return .output(of: "printf %s '\(data.base64EncodedString())' | base64 --decode")
        }
        guard text.utf8.count <= Self.maximumArgumentLength else { return .output(of: "printf %s \(Self.word(text))") }
        return .argument(text)
    }

    /// The body as text: as it is, or as the log shows it. `nil` for what is no text but is to be shown.
    private func visibleText(of data: Data) -> String? {
        let text = String(decoding: data, as: UTF8.self)
        let isText = text.utf8.elementsEqual(data) && !data.contains(0)
        if showsSecrets { return isText ? text : nil }
        let shown = secrets.redacted(body: data)
        let isHarmless = secrets.redactedText(of: data) == SecretPolicy.off.redactedText(of: data)
        let isWhole = !shown.hasPrefix("\(data.count) bytes")
        return isText && isHarmless && isWhole ? text : shown
    }

    /// In bytes. Linux takes arguments of up to 128 KiB; what a shell writes by itself is none.
    private static let maximumArgumentLength = 100_000
}

extension Teapot.SentRequest {
    /// A command line for bash or zsh that sends the same request by `curl`: one line, without a line break at its end.
    ///
    /// It has the method, the URL, the header fields and the body of the request; what the transport itself adds, such as
    /// `User-Agent`, is left to curl. Redirects are not followed, as each is a request of its own here. A body that is no text
    /// takes its way through `base64`. One in a file is named, not copied: a temporary file, such as that of a form with large
    /// parts, is there for as long as the call.
    ///
    /// - Parameter showsSecrets: Whether everything is shown, and so the line sends the same in any case. Otherwise it shows what
    ///   the log shows, by the ``Teapot/Teapot/secretPolicy``: `<redacted>` in the place of secrets, and of a body of which
    ///   the log only says how many bytes there are, just that.
    /// - Returns: The command line. Control characters and what changes the direction of writing are escaped, so that it looks
    ///   like what it does.
    public func curlCommand(showsSecrets: Bool = false) -> String {
        CurlCommand(of: self, showsSecrets: showsSecrets).text
    }
}

/// A plugin that writes each request as a command line for `curl`: see ``Teapot/Teapot/SentRequest/curlCommand(showsSecrets:)``.
///
/// As a plugin sees what those before it made of a request, its place in ``Teapot/Teapot/plugins`` does not matter.
public struct CurlPrinter: Teapot.Plugin {
    private let showsSecrets: Bool
    private let output: @Sendable (String) -> Void

    /// Makes a printer.
    ///
    /// - Parameters:
    ///   - showsSecrets: Whether credentials and other secrets are written, too, and bodies that the log does not show.
    ///   - output: Takes each line, without a line break at its end. It is called on any thread, on several at once, and must not
    ///     wait: calls make no progress meanwhile. Defaults to standard output.
    public init(showsSecrets: Bool = false, output: @escaping @Sendable (String) -> Void = { print($0) }) {
        self.showsSecrets = showsSecrets
        self.output = output
    }

    /// Writes the line.
    public func willSend(_ request: Teapot.SentRequest) {
        output(request.curlCommand(showsSecrets: showsSecrets))
    }
}

/// A word of a command line for bash or zsh that stands for exactly one text.
struct ShellWord {
    /// How it is written: on one line, without characters that are not seen, or that change how others are seen.
    let text: String

    init(_ text: String) {
        // By scalars: a quotation mark and a combining accent are one Character.
        let scalars = text.unicodeScalars
        if scalars.contains(where: Self.isHidden) {
            self.text = "$'" + scalars.map(Self.escaped).joined() + "'"
        } else if !text.isEmpty, text.utf8.allSatisfy(Self.plainBytes.contains) {
            self.text = text
        } else {
            self.text = "'" + scalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
        }
    }

    /// Nothing in these is special to a shell, wherever they stand.
    private static let plainBytes = ByteSet(ByteSet.alphanumerics)

    /// Control characters (a tab among them, with which a shell completes names as it is pasted), line breaks of all kinds,
    /// and formats, such as those that change the direction of writing.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// In `$'…'`. What is special there or, as an exclamation mark can be, to the history of a shell is written as bytes, since
    /// what `\u` means depends on the user's language.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": #"\n"#
        case "\r": #"\r"#
        case "\t": #"\t"#
        case "\\": #"\\"#
        case "'", "!": bytes(scalar)
        default: isHidden(scalar) ? bytes(scalar) : String(scalar)
        }
    }

    private static func bytes(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf8.map { #"\x"# + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}
