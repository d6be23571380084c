public import TeapotFoundation

extension Teapot.SentRequest: CustomStringConvertible {
    /// Method and URL, secrets redacted; header fields and body are not shown.
    public var description: String {
        "\(urlRequest.httpMethod ?? "GET") \(urlRequest.url.map(secrets.redacted) ?? "")"
    }
}

extension Teapot {
    /// A request as it goes to the transport: see ``Teapot/Plugin``.
    public struct SentRequest: Sendable {
        /// Method, URL, header fields (cookies included) and the body, unless that is in a file.
        public let urlRequest: URLRequest
        /// The file that is the body, if it is one.
        public let bodyFile: URL?
        /// Which attempt of the call it belongs to, from 1 on.
        public let attempt: Int
        /// What its texts do not show.
        package let secrets: SecretPolicy

        package init(urlRequest: URLRequest, bodyFile: URL?, attempt: Int, secrets: SecretPolicy) {
            self.urlRequest = urlRequest
            self.bodyFile = bodyFile
            self.attempt = attempt
            self.secrets = secrets
        }
    }
}
