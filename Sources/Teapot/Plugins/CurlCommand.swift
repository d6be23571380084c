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
    private func visible(_ text: String, _ shown: (SecretPolicy) -> String) -> String {
        let visible = shown(secrets)
        return showsSecrets || visible == shown(.off) ? text : visible
    }

    private var url: String {
        guard let url = request.url else { return "" }
        return visible(url.absoluteString) { $0.shown(url) }
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
            let value = visible(value) { $0.shown(value, named: name) }
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
        let shown = secrets.shown(body: data)
        var found: [String] = []
        let isHarmless = secrets.redacted(body: text, secrets: &found) == text
        let isWhole = !shown.hasPrefix("\(data.count) bytes")
        return isText && isHarmless && isWhole ? text : shown
    }

    /// In bytes. Linux takes arguments of up to 128 KiB; what a shell writes by itself is none.
    private static let maximumArgumentLength = 100_000
}
