public import Teapot

/// A `Teapot` that answers from files in a bundle instead of from a server.
///
/// Only the transport is replaced: paths, header checks, cookies, redirects, status rules, images, logging and cancellation are
/// the client's own code. Unless a call names a delivery queue, its completion is called before the verb returns, so that
/// tests need no expectations.
///
/// `@unchecked Sendable` is inherited; what this class adds is a constant.
open class MockTeapot: Teapot, @unchecked Sendable {
    let mock: MockTransport

    /// Makes a mock.
    ///
    /// - Parameters:
    ///   - bundle: Where the mock files are: `Bundle.module`, or `Bundle(for:)` with a class of the test target.
    ///   - mockFilename: The name of a JSON file without `.json`, or of an image file with its extension; `nil` or `""` for
    ///     responses without a body.
    ///   - statusCode: The status of all responses, but those of overridden endpoints. One of 300 or more is the answer even if
    ///     the file is missing or invalid; the response then has no body.
    ///   - clock: What delays and timeouts are measured by, such as a ``TestClock``; the system's monotonic time if `nil`.
    public init(
        bundle: Bundle,
        mockFilename: String? = nil,
        statusCode: StatusCode = .ok,
        clock: (any Clock<Duration>)? = nil
    ) {
        let filename = mockFilename ?? ""
        let response = filename.isEmpty ? MockResponse.status(statusCode) : .file(filename, status: statusCode)
        mock = MockTransport(files: MockFiles(bundle: bundle), defaultResponse: response, time: clock.timeSource)
        super.init(baseURL: Self.mockBaseURL, informedTransport: mock, clock: clock)
    }

    /// Makes a mock that answers only what is declared: see ``isStrict``.
    ///
    /// - Parameters:
    ///   - bundle: Where the mock files are that endpoints are declared with.
    ///   - clock: What delays and timeouts are measured by, such as a ``TestClock``; the system's monotonic time if `nil`.
    public convenience init(strictIn bundle: Bundle = .main, clock: (any Clock<Duration>)? = nil) {
        self.init(bundle: bundle, clock: clock)
        isStrict = true
    }

    /// Whether a request that matches no overridden endpoint fails, with `unexpectedRequest`, instead of being answered with
    /// the mock's own file and status; not at first.
    ///
    /// The error's description says what was asked, what is declared and where, and what comes nearest.
    public var isStrict: Bool {
        get { mock.isStrict }
        set { mock.isStrict = newValue }
    }

    /// Answers a path with a file of its own, and status 200.
    ///
    /// - Parameters:
    ///   - endpoint: The last component of the path, or several of them, such as `v1/timestamp`. The one with the most
    ///     components wins; of two alike, the later one. Queries are not looked at.
    ///   - filename: The name of a JSON file without `.json`, or of an image file with its extension.
    ///   - fileID: Where this is declared, as are the others.
    ///   - filePath: The file's path.
    ///   - line: The line.
    ///   - column: The column.
    public func overrideEndPoint(
        _ endpoint: String,
        withFilename filename: String,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) {
        let path = PathPattern(endpoint.prefix { $0 != "?" && $0 != "#" })
        guard !path.isEmpty else { return }
        let place = Declaration.Place.code(fileID: fileID, filePath: filePath, line: line, column: column)
        let answers = Override.Answers.sequence([.file(filename)], afterLast: .repeats)
        mock.replace(with: Override(EndpointMatcher(path: path), answers, at: place))
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

    // MARK: - Requests

    /// The requests that came so far, redirects included, in order; the latest ``maximumRequestCount`` of them, if it is set.
    public var requests: [RecordedRequest] { mock.requests }

    /// The requests among ``requests`` whose path ends in a pattern.
    ///
    /// - Parameters:
    ///   - endpoint: The last components of the path, such as `users/:id`.
    ///   - method: The method; any if `nil`.
    /// - Returns: The requests, in order, with the values of the pattern's parameters.
    public func requests(to endpoint: String, method: HTTPMethod? = nil) -> [RecordedRequest] {
        let matcher = EndpointMatcher(path: PathPattern(endpoint), method: method)
        return requests.compactMap { request in
            guard let parameters = matcher.match(request) else { return nil }
            var request = request
            request.pathParameters = parameters
            return request
        }
    }

    /// How many requests are kept in ``requests``, the latest ones; `nil`, all of them, at first.
    public var maximumRequestCount: Int? {
        get { mock.maximumRequestCount }
        set { mock.maximumRequestCount = newValue }
    }

    private static let mockBaseURL = URL(string: "https://mock.base.url.com") ?? URL(filePath: "/")
}
