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
        if text.utf8.allSatisfy(ByteSet.digits.contains) {
            // Digits that overflow mean a very long time.
            delay = .seconds(min(Int(text) ?? .max, Int(Int32.max)))
        } else if let date = HTTPDate.parse(text) {
            let now = response.field("Date").flatMap(HTTPDate.parse) ?? Date()
            delay = .seconds(max(date.timeIntervalSince(now), 0))
        } else {
            return nil
        }
    }
}
