import TeapotFoundation

extension URLRequest {
    /// The method and URL, secrets redacted.
    func line(_ secrets: SecretPolicy) -> String { "\(httpMethod ?? "GET") \(url.map(secrets.redacted) ?? "")" }

    var hasIdempotentMethod: Bool {
        guard let httpMethod else { return false }
        // Most requests: looking for the other methods takes longer.
        return httpMethod == "GET" || Teapot.HTTPMethod(rawValue: httpMethod)?.isIdempotent == true
    }
}
