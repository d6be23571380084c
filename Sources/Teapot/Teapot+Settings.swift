internal import Foundation

extension Teapot {
    /// What may be set at any time; a call goes by what was set when it began.
    struct Settings: Sendable {
        var baseURL: URL {
            didSet { base = BaseURL(baseURL) }
        }
        /// The base URL taken apart; `nil` if it is not one.
        private(set) var base: BaseURL?
        var logger = Logger()
        var secretPolicy = SecretPolicy.standard
        var maximumResponseSize: Int?
        var decoder = JSONDecoder()
        var encoder = JSONEncoder.standard
        var plugins: [any Plugin] = []
        var authenticator: Authenticator?
        var retryPolicy: RetryPolicy?

        init(baseURL: URL) {
            self.baseURL = baseURL
            base = BaseURL(baseURL)
        }
    }
}
