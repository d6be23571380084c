import TeapotFoundation

/// The delay that a server requests (RFC 9110, section 10.2.3).
struct RetryAfter {
    /// Not negative.
    let delay: Duration

    /// Parses the header field `Retry-After`; `nil` if it is missing or invalid.
    ///
    /// A date is compared with the server's clock, from the response's `Date`, or with the system's if there is none.
    init?(_ response: ResponseHead) {
        guard let text = response.field("Retry-After"), !text.isEmpty else { return nil }
        if let seconds = Self.seconds(text) {
            delay = .seconds(min(seconds, Double(Int32.max)))
        } else if let date = HTTPDate.parse(text) {
            let now = response.field("Date").flatMap(HTTPDate.parse) ?? Date()
            delay = .seconds(max(date.timeIntervalSince(now), 0))
        } else {
            return nil
        }
    }

    /// A number of seconds, which some servers send with a part of a second; `nil` if it is not one.
    static func seconds(_ text: String) -> Double? {
        var scanner = FieldScanner(text)
        guard !scanner.digits().isEmpty else { return nil }
        guard !scanner.take(".") || !scanner.digits().isEmpty, scanner.isAtEnd else { return nil }
        return Double(text)
    }
}
