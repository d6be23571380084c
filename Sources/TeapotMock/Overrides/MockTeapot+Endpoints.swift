public import Teapot

extension MockTeapot {
    /// Answers the requests of endpoints of a type, wherever they go.
    ///
    /// A type goes before any path. Redirects are requests of their own, and not of the type. What is answered is made into
    /// a value by the endpoint, as what comes from a server.
    ///
    /// ```swift
    /// try mock.overrideEndPoint(GetUser.self, with: .file("user"))
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - response: What to answer, each time.
    ///   - fileID: Where this is declared, as are the others.
    ///   - filePath: The file's path.
    ///   - line: The line.
    ///   - column: The column.
    /// - Throws: ``MockTeapotError/invalidOverride(_:)`` when the type is declared already.
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

    /// Answers the requests of endpoints of a type, one after the other, with the responses of a sequence.
    ///
    /// - Parameters:
    ///   - type: The type, as in ``overrideEndPoint(_:with:fileID:filePath:line:column:)-(_,MockResponse,_,_,_,_)``.
    ///   - responses: What to answer, in this order.
    ///   - afterLast: What comes after the last one.
    ///   - fileID: Where this is declared, as are the others.
    ///   - filePath: The file's path.
    ///   - line: The line.
    ///   - column: The column.
    /// - Throws: ``MockTeapotError/invalidOverride(_:)`` when the type is declared already, or when there is no response.
    public func overrideEndPoint<E: Endpoint>(
        _ type: E.Type,
        with responses: [MockResponse],
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

    /// Answers the requests of endpoints of a type with what a closure makes of each endpoint, such as a case of an enum.
    ///
    /// - Parameters:
    ///   - type: The type, as in ``overrideEndPoint(_:with:fileID:filePath:line:column:)-(_,MockResponse,_,_,_,_)``.
    ///   - fileID: Where this is declared, as are the others.
    ///   - filePath: The file's path.
    ///   - line: The line.
    ///   - column: The column.
    ///   - answer: Makes the answer, on the thread that sends the request. What it throws fails the call: a `TeapotError` as it
    ///     is, anything else as the cause of `noResponse`.
    /// - Throws: ``MockTeapotError/invalidOverride(_:)`` when the type is declared already.
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
                guard let endpoint = request.endpoint as? E else { throw URLError(.unknown) }
                return try answer(endpoint)
            },
            .code(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }
}
