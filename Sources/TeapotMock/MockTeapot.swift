public import Teapot

/// A `Teapot` that answers from files in a bundle instead of from a server.
///
/// Only the transport is replaced: paths, header checks, cookies, redirects, status rules, images, logging and cancellation are
/// the client's own code. Unless a call names a delivery queue, its completion is called before the verb returns, so that
/// tests need no expectations.
///
/// `@unchecked Sendable` is inherited; what this class adds is a constant.
open class MockTeapot: Teapot, @unchecked Sendable {
    private let mock: MockTransport

    /// Makes a mock.
    ///
    /// - Parameters:
    ///   - bundle: Where the mock files are: `Bundle.module`, or `Bundle(for:)` with a class of the test target.
    ///   - mockFilename: The name of a JSON file without `.json`, or of an image file with its extension; `nil` for responses
    ///     without a body.
    ///   - statusCode: The status of all responses, but those of overridden endpoints.
    public init(bundle: Bundle, mockFilename: String? = nil, statusCode: StatusCode = .ok) {
        mock = MockTransport(files: MockFiles(bundle: bundle), filename: mockFilename, status: statusCode)
        super.init(baseURL: Self.mockBaseURL, inlineTransport: mock, clock: nil)
        mock.setSecretPolicy { [weak self] in self?.secretPolicy ?? .standard }
    }

    /// Answers a path with a file of its own, and status 200.
    ///
    /// - Parameters:
    ///   - endPoint: The last component of the path, or several of them, such as `v1/timestamp`. The one with the most
    ///     components wins; of two alike, the later one. Queries are not looked at.
    ///   - filename: The name of a JSON file without `.json`, or of an image file with its extension.
    public func overrideEndPoint(_ endPoint: String, withFilename filename: String) {
        mock.override(endPoint, with: filename)
    }

    /// Expects header fields: each later call that is not to an overridden endpoint must carry at least these, or it fails
    /// with `incorrectHeaders` and status 400.
    ///
    /// - Parameter headers: Names, compared without regard to case, and values, compared exactly.
    public func setExpectedHeaders(_ headers: [String: String]) {
        mock.expect(headers)
    }

    /// Expects no header fields any more.
    public func clearExpectedHeaders() {
        mock.expect([:])
    }

    private static let mockBaseURL = URL(string: "https://mock.base.url.com") ?? URL(filePath: "/")
}
