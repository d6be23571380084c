public import Teapot

extension MockTeapot {
    /// Answers the requests to an endpoint.
    ///
    /// What is not given is not looked at. Of several endpoints that match a request the most specific answers it: the one
    /// with more components of the path given, then with more components, then with a method, with more query items, with
    /// more header fields, with a body.
    ///
    /// ```swift
    /// try mock.overrideEndPoint("users/:id", method: .get, with: .file("user"))
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The last components of the path, such as `users`, `v1/users` or `users/:id`, in which `:id` stands for
    ///     any text. `""` is a URL without a path.
    ///   - method: The method.
    ///   - query: Items that the query must have, of each name the first counting, decoded.
    ///   - headerFields: Header fields that the request must carry: names compared without regard to case, values exactly.
    ///   - body: The body: JSON is compared as values, anything else byte for byte.
    ///   - response: What to answer, each time.
    ///   - fileID: Where this is declared, as are the others.
    ///   - filePath: The file's path.
    ///   - line: The line.
    ///   - column: The column.
    /// - Throws: ``MockTeapotError/invalidOverride(_:)`` when another endpoint would match some of the same requests and neither
    ///   is more specific, when the path has a query, or when JSON cannot hold the body.
    public func overrideEndPoint(
        _ endpoint: String,
        method: HTTPMethod? = nil,
        query: [String: String] = [:],
        headerFields: [String: String] = [:],
        body: RequestParameter? = nil,
        with response: MockResponse,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) throws(MockTeapotError) {
        try declare(
            try matcher(endpoint, method, query, headerFields, body),
            .sequence([response], afterLast: .repeats),
            .code(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    /// Answers the requests to an endpoint, one after the other, with the responses of a sequence.
    ///
    /// - Parameters:
    ///   - endpoint: The last components of the path, as in
    ///     ``overrideEndPoint(_:method:query:headerFields:body:with:fileID:filePath:line:column:)``.
    ///   - method: The method.
    ///   - query: Items that the query must have.
    ///   - headerFields: Header fields that the request must carry.
    ///   - body: The body.
    ///   - responses: What to answer, in this order.
    ///   - afterLast: What comes after the last one.
    ///   - fileID: Where this is declared, as are the others.
    ///   - filePath: The file's path.
    ///   - line: The line.
    ///   - column: The column.
    /// - Throws: As with a single response, and when there is none.
    public func overrideEndPoint(
        _ endpoint: String,
        method: HTTPMethod? = nil,
        query: [String: String] = [:],
        headerFields: [String: String] = [:],
        body: RequestParameter? = nil,
        with responses: [MockResponse],
        afterLast: AfterLast = .repeats,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) throws(MockTeapotError) {
        try declare(
            try matcher(endpoint, method, query, headerFields, body),
            .sequence(responses, afterLast: afterLast),
            .code(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    /// Answers the requests to an endpoint with what a closure makes of each.
    ///
    /// - Parameters:
    ///   - endpoint: The last components of the path, as in
    ///     ``overrideEndPoint(_:method:query:headerFields:body:with:fileID:filePath:line:column:)``.
    ///   - method: The method.
    ///   - query: Items that the query must have.
    ///   - headerFields: Header fields that the request must carry.
    ///   - body: The body.
    ///   - fileID: Where this is declared, as are the others.
    ///   - filePath: The file's path.
    ///   - line: The line.
    ///   - column: The column.
    ///   - answer: Makes the answer, on the thread that sends the request. What it throws fails the call: a `TeapotError` as it
    ///     is, anything else as the cause of `noResponse`.
    /// - Throws: As with a single response.
    public func overrideEndPoint(
        _ endpoint: String,
        method: HTTPMethod? = nil,
        query: [String: String] = [:],
        headerFields: [String: String] = [:],
        body: RequestParameter? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column,
        with answer: @escaping @Sendable (RecordedRequest) throws -> MockResponse
    ) throws(MockTeapotError) {
        try declare(
            try matcher(endpoint, method, query, headerFields, body),
            .computed(answer),
            .code(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    func declare(
        _ matcher: any RequestMatcher,
        _ answers: Override.Answers,
        _ place: Declaration.Place
    ) throws(MockTeapotError) {
        try mock.declare(Override(matcher, answers, at: place), secretPolicy)
    }

    private func matcher(
        _ endpoint: String,
        _ method: HTTPMethod?,
        _ query: [String: String],
        _ headerFields: [String: String],
        _ body: RequestParameter?
    ) throws(MockTeapotError) -> EndpointMatcher {
        guard !endpoint.contains(where: { "?#".contains($0) }) else {
            throw .invalidOverride(
                "the endpoint \(endpoint) has a query or a fragment; pass query items as the argument query:"
            )
        }
        do {
            return EndpointMatcher(
                path: PathPattern(endpoint),
                method: method,
                query: query,
                headerFields: headerFields,
                body: try body.map { (body) throws(TeapotError) in try body.encoded() }
            )
        } catch {
            let reason = error.failureReason ?? error.description
            throw .invalidOverride("the body of \(endpoint) cannot be encoded as JSON: \(reason)")
        }
    }
}
