public import Teapot

extension MockTeapot {
    /// Answers the requests to an endpoint.
    ///
    /// Parameters that are not given are ignored. Of several matching endpoints, the most specific answers: the one with more
    /// fixed path components, then with more components, then with a method, with more query items, with more header fields,
    /// with a body.
    ///
    /// ```swift
    /// try mock.overrideEndPoint("users/:id", method: .get, with: .file("user"))
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The last components of the path, such as `users`, `v1/users` or `users/:id`, in which `:id` matches any
    ///     text. A slash at the end must be in the URL, too. `""` is a URL without a path.
    ///   - method: The method.
    ///   - query: Items that the query must have, decoded as by a server: a plus sign in a URL is a space. If a name repeats,
    ///     the first items of that name are compared in order. No value is the same as an empty one.
    ///   - headerFields: Header fields that the request must have: names compared without regard to case, values exactly.
    ///   - body: The body, such as `["title": "Tea"]`, `.json(note)`, `.form(["a": 1])` or `.data(bytes)`: JSON is compared by value, a form in any
    ///     order of its fields, anything else byte for byte.
    ///   - response: The response, each time.
    ///   - fileID: The module and file of this declaration.
    ///   - filePath: The file's path.
    ///   - line: The line.
    ///   - column: The column.
    /// - Throws: ``MockTeapotError/invalidOverride(_:)`` if another endpoint would match some of the same requests and neither
    ///   is more specific, if the path has a query, or if JSON cannot represent the body. Endpoints that differ in items
    ///   without a value, such as `["uploads": ""]` and `["uploadId": "1"]`, are accepted; a request that matches both fails
    ///   with `unexpectedRequest`.
    public func overrideEndPoint(
        _ endpoint: String,
        method: Teapot.HTTPMethod? = nil,
        query: Teapot.QueryItems = [],
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

    /// Answers the requests to an endpoint with the responses of a sequence, one after the other, and otherwise as
    /// ``overrideEndPoint(_:method:query:headerFields:body:with:fileID:filePath:line:column:)``. A sequence without a response throws, too.
    public func overrideEndPoint(
        _ endpoint: String,
        method: Teapot.HTTPMethod? = nil,
        query: Teapot.QueryItems = [],
        headerFields: [String: String] = [:],
        body: RequestParameter? = nil,
        withSequence responses: [MockResponse],
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

    /// Answers the requests to an endpoint with a closure, and otherwise as
    /// ``overrideEndPoint(_:method:query:headerFields:body:with:fileID:filePath:line:column:)``. The closure is called on the thread that
    /// sends the request. An error that it throws fails the call: a `TeapotError` unchanged, any other as the cause of `noResponse`.
    public func overrideEndPoint(
        _ endpoint: String,
        method: Teapot.HTTPMethod? = nil,
        query: Teapot.QueryItems = [],
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

    /// The behavior after the last response of a sequence. A later version may add cases: a `switch` needs
    /// `@unknown default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum AfterLast: Sendable {
        /// The last response repeats.
        case repeats
        /// Further requests fail with `unexpectedRequest`.
        case fails
    }

    func declare(_ matcher: any RequestMatcher, _ answers: Override.Answers, _ place: Declaration.Place)
        throws(MockTeapotError)
    { try mock.declare(Override(matcher, answers, at: place), secretPolicy) }

    @inline(never)
    private func matcher(
        _ endpoint: String,
        _ method: Teapot.HTTPMethod?,
        _ query: Teapot.QueryItems,
        _ fields: [String: String],
        _ body: RequestParameter?
    ) throws(MockTeapotError) -> EndpointMatcher {
        guard !endpoint.contains("?"), !endpoint.contains("#") else {
            let reason = "has a query or a fragment; pass query items as the argument query:"
            throw .invalidOverride("the endpoint \(endpoint) " + reason)
        }
        let data: Data?
        do {
            data = try body.map { (body) throws(TeapotError) in try body.encoded() }
        } catch {
            let reason = error.failureReason ?? error.description
            throw .invalidOverride("the body of \(endpoint) cannot be encoded as JSON: \(reason)")
        }
        let path = PathPattern(endpoint)
        return EndpointMatcher(path: path, method: method, query: query, headerFields: fields, body: data)
    }
}
