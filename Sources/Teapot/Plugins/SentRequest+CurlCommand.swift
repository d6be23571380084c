import TeapotFoundation

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
        let (command, bodyWords) = body(showsSecrets)
        let url = urlRequest.url.map { url in visible(url.absoluteString, showsSecrets) { $0.redacted(url) } } ?? ""
        var words = ["curl", url.asShellWord]
        if !ByteSet("[]{}").contains(noneOf: url) { words.append("--globoff") }
        // With only the method, curl would wait for the body of a HEAD response, which has none.
        if method == "HEAD" {
            words.append("--head")
        } else if method != "GET" || hasBody {
            words += ["--request", method.asShellWord]
        }
        let fields = (urlRequest.allHTTPHeaderFields ?? [:]).sortedFields.map { name, value in
            let value = visible(value, showsSecrets) { $0.redacted(value, named: name) }
            return value.isEmpty ? name + ";" : name + ": " + value
        }
        for field in fields + corrections { words += ["--header", field.asShellWord] }
        // Transports ask for compressed answers.
        words.append("--compressed")
        words += bodyWords
        let text = words.joined(separator: " ")
        return command.map { $0 + " | " + text } ?? text
    }

    /// The text unchanged, unless the log would redact a secret in it.
    private func visible(_ text: String, _ showsSecrets: Bool, _ redacted: (SecretPolicy) -> String) -> String {
        let visible = redacted(secrets)
        return showsSecrets || visible == redacted(.off) ? text : visible
    }

    /// Fields for bodies that curl handles otherwise than transports. A name with a colon and no value removes a field.
    private var corrections: [String] {
        guard hasBody else { return ["POST", "PUT", "PATCH"].contains(method) ? ["Content-Length: 0"] : [] }
        var corrections: [String] = []
        // curl would call it a form.
        if urlRequest.value(forHTTPHeaderField: "Content-Type") == nil { corrections.append("Content-Type:") }
        // curl announces a longer body (`Expect: 100-continue`); newer versions do so from a megabyte on.
        let isLong = urlRequest.httpBody.map { $0.count > 1_024 } ?? true
        if isLong, urlRequest.value(forHTTPHeaderField: "Expect") == nil { corrections.append("Expect:") }
        return corrections
    }

    private var method: String { urlRequest.httpMethod ?? "GET" }
    private var hasBody: Bool { urlRequest.httpBody?.isEmpty == false || bodyFile != nil || hasBodyPieces }

    /// The arguments for the body, and the command that writes it to standard input, if one does.
    private func body(_ showsSecrets: Bool) -> (command: String?, words: [String]) {
        let standardInput = ["--data-binary", "@-"]
        guard let data = urlRequest.httpBody, !data.isEmpty else {
            if hasBodyPieces { return (nil, standardInput) }
            return (nil, bodyFile.map { ["--data-binary", "@\($0.path)".asShellWord] } ?? [])
        }
        guard let text = visibleText(of: data, showsSecrets) else {
            return ("printf %s '\(data.base64EncodedString())' | base64 --decode", standardInput)
        }
        // Linux accepts arguments of up to 128 KiB, except for what a shell writes itself.
        if text.utf8.count > 100_000 { return ("printf %s \(text.asShellWord)", standardInput) }
        return (nil, ["--data-raw", text.asShellWord])
    }

    /// The body as text: unchanged, or as the log shows it. `nil` for a body that is not text but is to be shown.
    private func visibleText(of data: Data, _ showsSecrets: Bool) -> String? {
        let text = data.text
        let isText = Data.areSame(Data(text.utf8), data) && !text.utf8.contains(0)
        if showsSecrets { return isText ? text : nil }
        let shown = secrets.redacted(body: data)
        let isHarmless = secrets.redactedText(of: data) == SecretPolicy.off.redactedText(of: data)
        let isWhole = !shown.hasPrefix("\(data.count) bytes")
        return isText && isHarmless && isWhole ? text : shown
    }
}
