public import Teapot

/// A `Teapot` that answers from files in a bundle instead of from a server.
///
/// Only the transport is replaced: paths, header checks, cookies, redirects, status rules, images, logging and cancellation are
/// the client's own code. A completion is called before the verb returns, so that tests need no expectations: on the calling
/// thread or, if the call names a delivery queue, on that queue. A queue that does not get to it within a second calls it
/// later. So does a call that waits: for the delay of a response, for a credential, or for another attempt.
///
/// `@unchecked Sendable` is inherited; this class only adds a constant.
open class MockTeapot: Teapot, @unchecked Sendable {
    let mock: MockTransport

    /// Makes a mock.
    ///
    /// - Parameters:
    ///   - bundle: The bundle of the mock files: `Bundle.module`, or `Bundle(for:)` with a class of the test target.
    ///   - mockFilename: The name of a JSON file without `.json`, or of an image file with its extension; `nil` or `""` for
    ///     responses without a body.
    ///   - statusCode: The status of all responses, except for overridden endpoints. A status of 300 or more is returned even
    ///     if the file is missing or invalid; the response then has no body.
    ///   - clock: The clock that measures delays and timeouts, such as a ``TestClock``; the system's monotonic time if `nil`.
    public init(
        bundle: Bundle,
        mockFilename: String? = nil,
        statusCode: StatusCode = .ok,
        clock: (any Clock<Duration>)? = nil
    ) {
        let filename = mockFilename ?? ""
        let response = filename.isEmpty ? MockResponse.status(statusCode) : .file(filename, status: statusCode)
        mock = MockTransport(files: MockFiles(bundle: bundle), defaultResponse: response, time: clock.timeSource)
        super.init(baseURL: Self.mockBaseURL, transport: mock, clock: clock)
        answersAtOnce = true
    }

    /// Makes a mock that answers declared requests only: see ``isStrict``.
    ///
    /// - Parameters:
    ///   - bundle: The bundle of the mock files for declared endpoints.
    ///   - clock: The clock that measures delays and timeouts, such as a ``TestClock``; the system's monotonic time if `nil`.
    public convenience init(strictIn bundle: Bundle = .main, clock: (any Clock<Duration>)? = nil) {
        self.init(bundle: bundle, clock: clock)
        isStrict = true
    }

    /// Whether a request that matches no overridden endpoint fails with `unexpectedRequest`, instead of getting the mock's own
    /// file and status; `false` by default.
    ///
    /// The error's description shows the request, the declared endpoints and their places, and the nearest one.
    public var isStrict: Bool {
        get { mock.isStrict }
        set { mock.isStrict = newValue }
    }

    /// Answers a path with a file of its own, and status 200. The name is that of a JSON file without `.json`, or of an
    /// image file with its extension.
    ///
    /// The endpoint is the last component of the path, or several of them, such as `v1/timestamp`. The override with
    /// the most components wins; among equal ones, the later one. Queries are ignored, and so is an empty endpoint. The
    /// other arguments are the place of this declaration.
    public func overrideEndPoint(
        _ endpoint: String,
        withFilename filename: String,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) {
        let path = PathPattern(String(endpoint.prefix { $0 != "?" && $0 != "#" }))
        guard !path.isEmpty else { return }
        let place = Declaration.Place.code(fileID: fileID, filePath: filePath, line: line, column: column)
        let answers = Override.Answers.sequence([.file(filename)], afterLast: .repeats)
        mock.replace(with: Override(EndpointMatcher(path: path), answers, at: place))
    }

    /// Sets the expected header fields: each later call that is not to an overridden endpoint must carry at least these, or it
    /// fails with `incorrectHeaders` and status 400. Names are compared without regard to case, values exactly.
    public func setExpectedHeaders(_ headers: [String: String]) { mock.expect(headers) }

    /// Removes all expected header fields.
    public func clearExpectedHeaders() { mock.expect([:]) }

    /// The transport that answers, to put another one in front of it, here a cache:
    ///
    /// ```swift
    /// let teapot = Teapot(baseURL: mock.baseURL, transport: CachingTransport(wrapping: mock.mockTransport))
    /// ```
    ///
    /// The mock records and verifies what reaches it. Its other properties, such as `plugins` and the clock on which
    /// delays run, are not those of that client.
    public var mockTransport: any Transport { mock }

    // MARK: - Requests

    /// The requests received so far, redirects included, in order; only the latest ``maximumRequestCount``, if that is set.
    public var requests: [RecordedRequest] { mock.requests }

    /// The requests among ``requests`` whose path ends in a pattern such as `users/:id`, in order, with the values of its parameters; with
    /// one method, or with any if `nil`.
    public func requests(to endpoint: String, method: Teapot.HTTPMethod? = nil) -> [RecordedRequest] {
        let pattern = PathPattern(endpoint)
        return requests.compactMap { request in
            if let method, method != request.method { return nil }
            guard let parameters = pattern.match(request.url.path(percentEncoded: true)) else { return nil }
            var request = request
            request.pathParameters = parameters
            return request
        }
    }

    /// The maximum number of requests in ``requests``, which keeps the latest ones; `nil`, no limit, by default.
    public var maximumRequestCount: Int? {
        get { mock.maximumRequestCount }
        set { mock.maximumRequestCount = newValue }
    }

    private static let mockBaseURL = URL(string: "https://mock.base.url.com") ?? URL(filePath: "/")
}
