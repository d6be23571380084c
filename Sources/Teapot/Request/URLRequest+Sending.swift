import TeapotFoundation

extension URLRequest {
    /// The method and URL, secrets redacted.
    func line(_ secrets: SecretPolicy) -> String { "\(httpMethod ?? "GET") \(url.map(secrets.redacted) ?? "")" }
    var target: CallDetails.Target? { url.map { (httpMethod ?? "GET", $0) } }
    /// Whether both URLs have the same origin, or none.
    func isSameOrigin(as other: URLRequest) -> Bool { url.flatMap(Origin.init) == other.url.flatMap(Origin.init) }

    /// Thirty years, which count as no timeout: an infinite one would trap in FoundationNetworking.
    static let noTimeout: TimeInterval = 1e9
    /// The time without progress after which the request fails; `nil` for no limit.
    var timeout: Duration? {
        let interval = timeoutInterval
        return interval < Self.noTimeout ? .nanoseconds(Int64(interval * 1e9)) : nil
    }

    var hasIdempotencyKey: Bool { value(forHTTPHeaderField: "Idempotency-Key") != nil }

    var hasIdempotentMethod: Bool {
        guard let httpMethod else { return false }
        // Most requests: looking for the other methods takes longer.
        return httpMethod == "GET" || Teapot.HTTPMethod(rawValue: httpMethod)?.isIdempotent == true
    }
}
