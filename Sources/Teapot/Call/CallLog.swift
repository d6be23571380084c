import TeapotFoundation

/// Logs the traffic between a call and its transport, secrets redacted.
final class CallLog: Sendable {
    private let logger: Logger
    let secrets: SecretPolicy

    init(logger: Logger, secrets: SecretPolicy) {
        (self.logger, self.secrets) = (logger, secrets)
    }

    /// The log of a call that uses credentials.
    func adding(_ credentials: [Credential]) -> CallLog {
        credentials.isEmpty ? self : CallLog(logger: logger, secrets: secrets.adding(credentials))
    }

    func outgoing(_ request: URLRequest, bodyFile: BodyFile?, _ id: Int) {
        logger.write(.incomingAndOutgoingData) {
            lines(
                "→ \(title(of: request)) (#\(id))",
                HeaderFields(request, secrets).description,
                bodyFile.map { "(\($0.size) bytes of a file)" } ?? secrets.redacted(body: request.httpBody ?? Data())
            )
        }
    }

    func incoming(_ response: HTTPURLResponse, _ end: Exchange.End, _ time: any TimeSource) {
        logger.write(.incomingData) {
            lines(
                "← \(response.statusCode) \(title(of: end.plan.request)) \(end.exchange.mark(time.elapsed))",
                HeaderFields(response, secrets).description,
                secrets.redacted(body: end.data)
            )
        }
    }

    /// The exchange is `nil` if nothing was sent.
    func failed(_ error: TeapotError, _ exchange: Exchange?, _ time: any TimeSource) {
        logger.write(.error) {
            let request = error.request.map { "\($0)" } ?? "Request not sent"
            return "✗ \(request): \(error.summary)" + (exchange.map { " \($0.mark(time.elapsed))" } ?? "")
        }
    }

    private func title(of request: URLRequest) -> String {
        "\(request.httpMethod ?? "GET") \(request.url.map(secrets.redacted) ?? "")"
    }

    private func lines(_ texts: String...) -> String {
        texts.filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
