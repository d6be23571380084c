internal import TeapotFoundation

/// Writes what passes between a call and its transport, secrets redacted.
struct CallLog: Sendable {
    let logger: Logger
    let secrets: SecretPolicy

    /// The log of a call that uses credentials.
    func adding(_ credentials: [Credential]) -> CallLog {
        credentials.isEmpty ? self : CallLog(logger: logger, secrets: secrets.adding(credentials))
    }

    func outgoing(_ request: URLRequest, bodyFile: BodyFile?) {
        logger.write(
            {
                lines(
                    "→ \(title(of: request))",
                    secrets.redacted((request.allHTTPHeaderFields ?? [:]).map { ($0.key, $0.value) }),
                    bodyFile.map { "(\($0.size) bytes of a file)" }
                        ?? secrets.redacted(body: request.httpBody ?? Data())
                )
            },
            .incomingAndOutgoingData
        )
    }

    func incoming(_ response: HTTPURLResponse, data: Data, request: URLRequest) {
        logger.write(
            {
                lines(
                    "← \(response.statusCode) \(title(of: request))",
                    secrets.redacted(HeaderFields(response).map { ($0.name, $0.value) }),
                    secrets.redacted(body: data)
                )
            },
            .incomingData
        )
    }

    func failed(_ error: TeapotError, request: URLRequest?) {
        logger.write(
            {
                let cause = error.failureReason.map { " (\(secrets.redacted(line: $0)))" } ?? ""
                return "✗ \(request.map(title) ?? "Request not sent"): \(error.description)\(cause)"
            },
            .error
        )
    }

    private func title(of request: URLRequest) -> String {
        "\(request.httpMethod ?? "GET") \(request.url.map(secrets.redacted) ?? "")"
    }

    private func lines(_ texts: String...) -> String {
        texts.filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
