import TeapotFoundation

/// Logs the traffic between a call and its transport, secrets redacted.
struct CallLog {
    let logger: Logger
    let secrets: SecretPolicy

    func outgoing(_ request: URLRequest, bodyFile: BodyFile?, _ id: Int) {
        logger.write(.incomingAndOutgoingData) {
            lines(
                "→ \(title(of: request)) (#\(id))",
                HeaderFields(request, secrets).description,
                bodyFile.map { "(\($0.size) bytes of a file)" } ?? secrets.redacted(body: request.httpBody ?? Data())
            )
        }
    }

    func incoming(_ response: HTTPURLResponse, _ ending: Ending, _ exchange: Exchange) {
        logger.write(.incomingData) {
            lines(
                "← \(response.statusCode) \(title(of: exchange.request)) \(exchange.mark)",
                HeaderFields(response, secrets).description,
                secrets.redacted(body: ending.data)
            )
        }
    }

    /// The exchange is `nil` if nothing was sent.
    func failed(_ error: TeapotError, _ exchange: Exchange?) {
        logger.write(.error) {
            let request = error.requestLine.map { "\($0)" } ?? "Request not sent"
            return "✗ \(request): \(error.summary)" + (exchange.map { " \($0.mark)" } ?? "")
        }
    }

    private func title(of request: URLRequest) -> String {
        "\(request.httpMethod ?? "GET") \(request.url.map(secrets.redacted) ?? "")"
    }

    private func lines(_ texts: String...) -> String {
        texts.filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
