import TeapotFoundation

/// Logs the traffic between a call and its transport, secrets redacted.
extension Logger {
    /// The request as it is sent, with cookies.
    func outgoing(_ urlRequest: URLRequest, of request: Indirect<OutgoingRequest>, in exchange: Exchange) {
        write(.incomingAndOutgoingData) { entry in
            describe(urlRequest, of: exchange, in: &entry)
            entry.duration = nil
            return lines(
                "→ \(title(of: entry)) (#\(exchange.id))",
                Teapot.HeaderFields(urlRequest, exchange.secrets).description,
                request.value.sent.file.map { "(\($0.size) bytes of a file)" } ?? request.value.sent.bodyPieces.map {
                    "(\($0.length.map { "\($0) bytes of " } ?? "")an AsyncSequence)"
                } ?? exchange.secrets.redacted(body: urlRequest.httpBody ?? Data())
            )
        }
    }

    func incoming(_ response: ResponseHead, with result: ExchangeResult, in exchange: Exchange) {
        write(.incomingData) { entry in
            describe(exchange.request, of: exchange, in: &entry)
            entry.status = response.status
            return lines(
                "← \(response.status) \(title(of: entry)) \(mark(of: entry))",
                Teapot.HeaderFields(response, exchange.secrets).description,
                exchange.secrets.redacted(body: result.data)
            )
        }
    }

    /// The exchange is `nil` if nothing was sent.
    func failed(_ error: TeapotError, in exchange: Exchange?) {
        write(.error) { entry in
            if let exchange { describe(exchange.request, of: exchange, in: &entry) }
            let request = error.details.request
            entry.method = request?.method
            entry.url = (request?.url).map(error.details.secrets.redacted)
            entry.status = error.responseStatus
            return "✗ \(error.requestLine ?? "Request not sent"): \(error.summary)"
                + (exchange == nil ? "" : " \(mark(of: entry))")
        }
    }

    private func describe(_ request: URLRequest, of exchange: Exchange, in entry: inout Entry) {
        entry.method = request.httpMethod ?? "GET"
        entry.url = request.url.map(exchange.secrets.redacted) ?? ""
        entry.requestID = exchange.id
        entry.attempt = exchange.attempt
        entry.duration = exchange.age
    }

    private func title(of entry: Entry) -> String { "\(entry.method ?? "") \(entry.url ?? "")" }

    private func mark(of entry: Entry) -> String {
        "(#\(entry.requestID ?? 0), \(entry.duration?.milliseconds ?? 0) ms)"
    }

    private func lines(_ texts: String...) -> String { texts.filter { !$0.isEmpty }.joined(separator: "\n") }
}
