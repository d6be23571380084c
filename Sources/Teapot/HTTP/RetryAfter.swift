internal import TeapotFoundation

/// How long a server asks to wait (RFC 9110, section 10.2.3).
struct RetryAfter {
    /// Not negative.
    let delay: Duration

    /// Reads the header field `Retry-After`; `nil` if there is none, or one that says nothing.
    ///
    /// A date is one of the server's clock, which the response's `Date` tells; without that the system's is all there is.
    init?(_ response: HTTPURLResponse) {
        let headers = HeaderFields(response)
        guard let text = headers["Retry-After"]?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // One that is too long for a number is a long time.
            delay = .seconds(Int32(text) ?? .max)
        } else if let date = HTTPDate.parse(text) {
            let now = headers["Date"].flatMap(HTTPDate.parse) ?? Date()
            delay = .seconds(max(date.timeIntervalSince(now), 0))
        } else {
            return nil
        }
    }
}
