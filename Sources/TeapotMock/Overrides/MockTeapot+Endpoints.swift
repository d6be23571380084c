public import Teapot

extension MockTeapot {
    /// Answers requests made from endpoints of a type, whatever their URL, each time with the same response.
    ///
    /// A type takes precedence over any path. Redirects are separate requests, and not of the type. The endpoint parses
    /// the response, like one from a server. The last four arguments are the place of this declaration. Throws
    /// ``MockTeapotError/invalidOverride(_:)`` if the type is declared already.
    ///
    /// ```swift
    /// try mock.overrideEndPoint(GetUser.self, with: .file("user"))
    /// ```
    public func overrideEndPoint<E: Endpoint>(
        _ type: E.Type,
        with response: MockResponse,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) throws(MockTeapotError) {
        try declare(
            EndpointTypeMatcher(type: type),
            .sequence([response], afterLast: .repeats),
            .code(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    /// Answers requests made from endpoints of a type with the responses of a sequence, one after the other, and otherwise as
    /// ``overrideEndPoint(_:with:fileID:filePath:line:column:)-(_,MockResponse,_,_,_,_)``. A sequence without a response throws, too.
    public func overrideEndPoint<E: Endpoint>(
        _ type: E.Type,
        withSequence responses: [MockResponse],
        afterLast: AfterLast = .repeats,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) throws(MockTeapotError) {
        try declare(
            EndpointTypeMatcher(type: type),
            .sequence(responses, afterLast: afterLast),
            .code(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    /// Answers requests made from endpoints of a type with a closure, which takes each endpoint, such as a case of an enum, and otherwise
    /// as ``overrideEndPoint(_:with:fileID:filePath:line:column:)-(_,MockResponse,_,_,_,_)``. The closure is called on the thread that
    /// sends the request. An error that it throws fails the call: a `TeapotError` unchanged, any other as the cause of `noResponse`.
    public func overrideEndPoint<E: Endpoint>(
        _ type: E.Type,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column,
        with answer: @escaping @Sendable (E) throws -> MockResponse
    ) throws(MockTeapotError) {
        try declare(
            EndpointTypeMatcher(type: type),
            .computed { request in
                guard let endpoint = request.endpoint?.value as? E else { throw URLError(.unknown) }
                return try answer(endpoint)
            },
            .code(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }
}
