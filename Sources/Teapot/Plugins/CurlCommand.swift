import TeapotFoundation

/// The `curl` command line that sends a request.
struct CurlCommand {
    /// The way in which curl gets the body.
    private enum Body {
        case argument(String)
        case file(String)
        /// A command that writes the body to standard input.
        case output(of: String)
        case standardInput
    }

    private let request: URLRequest
    private let bodyFile: URL?
    private let hasBodyPieces: Bool
    private let secrets: SecretPolicy
    private let showsSecrets: Bool

    init(of request: Teapot.SentRequest, showsSecrets: Bool) {
        self.request = request.urlRequest
        bodyFile = request.bodyFile
        hasBodyPieces = request.hasBodyPieces
        secrets = request.secrets
        self.showsSecrets = showsSecrets
    }

    var text: String {
        let body = body
        var words = ["curl", url.asShellWord]
        if url.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
        words += methodWords + headerFields
        // Transports ask for compressed answers.
        words.append("--compressed")
        switch body {
        case nil: break
        case .argument(let text): words += ["--data-raw", text.asShellWord]
        case .file(let path): words += ["--data-binary", "@\(path)".asShellWord]
        case .standardInput: words += ["--data-binary", "@-"]
        case .output(let command): words = [command, "|"] + words + ["--data-binary", "@-"]
        }
        return words.joined(separator: " ")
    }

    // MARK: - Visible text

    /// The text unchanged, unless the log would redact a secret in it.
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
        // With only the method, curl would wait for the body of a HEAD response, which has none.
        if method == "HEAD" { return ["--head"] }
        return method == "GET" && !hasBody ? [] : ["--request", method.asShellWord]
    }

    // MARK: - Header fields

    private var headerFields: [String] {
        let own = (request.allHTTPHeaderFields ?? [:]).sortedFields.map { name, value in
            let value = visible(value) { $0.redacted(value, named: name) }
            return value.isEmpty ? "\(name);" : "\(name): \(value)"
        }
        return (own + corrections).flatMap { ["--header", $0.asShellWord] }
    }

    /// Corrections for differences between transports and curl in handling bodies. A name with a colon and no value removes a
    /// field.
    private var corrections: [String] {
        guard hasBody else { return ["POST", "PUT", "PATCH"].contains(method) ? ["Content-Length: 0"] : [] }
        var corrections: [String] = []
        // curl would call it a form.
        if request.value(forHTTPHeaderField: "Content-Type") == nil { corrections.append("Content-Type:") }
        let isLong = request.httpBody.map { $0.count > Self.maximumUnannouncedLength } ?? true
        if isLong, request.value(forHTTPHeaderField: "Expect") == nil { corrections.append("Expect:") }
        return corrections
    }

    /// In bytes. curl announces a longer body (`Expect: 100-continue`); newer versions do so from a megabyte on.
    private static let maximumUnannouncedLength = 1_024

    // MARK: - The body

    private var hasBody: Bool { request.httpBody?.isEmpty == false || bodyFile != nil || hasBodyPieces }

    private var body: Body? {
        guard let data = request.httpBody, !data.isEmpty else {
            return hasBodyPieces ? .standardInput : (bodyFile?.path).map(Body.file)
        }
        guard let text = visibleText(of: data) else {
            return .output(of: "printf %s '\(data.base64EncodedString())' | base64 --decode")
        }
        guard text.utf8.count <= Self.maximumArgumentLength else { return .output(of: "printf %s \(text.asShellWord)") }
        return .argument(text)
    }

    /// The body as text: unchanged, or as the log shows it. `nil` for a body that is not text but is to be shown.
    private func visibleText(of data: Data) -> String? {
        let text = data.text
        let isText = text.utf8.elementsEqual(data) && !data.contains(0)
        if showsSecrets { return isText ? text : nil }
        let shown = secrets.redacted(body: data)
        let isHarmless = secrets.redactedText(of: data) == SecretPolicy.off.redactedText(of: data)
        let isWhole = !shown.hasPrefix("\(data.count) bytes")
        return isText && isHarmless && isWhole ? text : shown
    }

    /// In bytes. Linux accepts arguments of up to 128 KiB, except for what a shell writes itself.
    private static let maximumArgumentLength = 100_000
}

extension Teapot.SentRequest {
    /// A command line for bash or zsh that sends the same request by `curl`: one line, without a line break at its end.
    ///
    /// It contains the method, URL, header fields and body of the request; curl itself adds fields such as `User-Agent`.
    /// Redirects are not followed, as each is a separate request here. A binary body is passed through `base64`. A body in a
    /// file is referenced, not copied: a temporary file, such as that of a form with large parts, exists only during the call.
    ///
    /// - Parameter showsSecrets: Whether secrets are shown, so that the command always sends the same request. Otherwise the
    ///   command shows the same as the log, by the ``Teapot/Teapot/secretPolicy``: `<redacted>` in place of secrets, and only
    ///   the number of bytes of a body that the log does not show.
    /// - Returns: The command line. Control characters and characters that change the text direction are escaped, so that the
    ///   command looks like what it does.
    public func curlCommand(showsSecrets: Bool = false) -> String {
        CurlCommand(of: self, showsSecrets: showsSecrets).text
    }
}
