public import Foundation

/// The async verbs without a body, and the base of all async verbs. Each waits for the response, and throws a ``TeapotError``.
extension Teapot {
    /// Sends a `GET` request.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, with or without a leading slash; `""` is the base URL itself.
    ///   - query: Query items, encoded and appended last.
    ///   - headerFields: Header fields of this request.
    ///   - timeoutInterval: Seconds without progress after which the call fails; ``timeoutInterval`` if `nil`.
    ///   - allowsCellular: Whether the call may use a cellular network; without effect on Linux.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: The error of the call; `cancelled` when the waiting task is cancelled.
    @discardableResult
    public func get(
        _ path: String,
        query: QueryItems = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true
    ) async throws(TeapotError) -> Response {
        try await call(.get, path, nil, nil, query, headerFields, timeoutInterval, allowsCellular)
    }

    /// Sends a `GET` request, and decodes the response with `decoder`, or with ``decoder`` of this Teapot if `nil`.
    ///
    /// Otherwise the same as without a type. If the body does not match the type, the call throws `decodingFailed`.
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        as type: Value.Type,
        decoder: JSONDecoder? = nil,
        query: QueryItems = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true
    ) async throws(TeapotError) -> Value {
        try await json(.get, path, nil, nil, query, headerFields, timeoutInterval, allowsCellular)
            .decode(using: decoder)
    }

    /// Sends a `HEAD` request: it returns the status and header fields, but no body. The parameters are those of
    /// ``get(_:query:headerFields:timeoutInterval:allowsCellular:)``.
    @discardableResult
    public func head(
        _ path: String,
        query: QueryItems = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true
    ) async throws(TeapotError) -> Response {
        try await call(.head, path, nil, nil, query, headerFields, timeoutInterval, allowsCellular)
    }

    /// Sends an `OPTIONS` request: the response's header field `Allow` lists the supported methods (RFC 9110, section 9.3.7).
    /// The parameters are those of ``get(_:query:headerFields:timeoutInterval:allowsCellular:)``.
    @discardableResult
    public func options(
        _ path: String,
        query: QueryItems = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true
    ) async throws(TeapotError) -> Response {
        try await call(.options, path, nil, nil, query, headerFields, timeoutInterval, allowsCellular)
    }

    /// Sends the request of an async verb.
    func call(
        _ method: HTTPMethod,
        _ path: String,
        _ body: (any Encodable & Sendable)?,
        _ encoder: JSONEncoder?,
        _ query: QueryItems,
        _ headerFields: [String: String]?,
        _ timeoutInterval: TimeInterval?,
        _ allowsCellular: Bool,
        _ isIdempotent: Bool? = nil,
        _ accept: String? = nil
    ) async throws(TeapotError) -> Response {
        var request = Request(
            method,
            path: path,
            query: query,
            headerFields: headerFields ?? [:],
            body: body.map { Request.Body(encoding: $0, using: encoder) },
            timeoutInterval: timeoutInterval,
            allowsCellular: allowsCellular,
            isIdempotent: isIdempotent
        )
        request.accept = accept
        return try await send(request)
    }

    /// Sends the request of an async verb, and decodes the response.
    func json(
        _ method: HTTPMethod,
        _ path: String,
        _ body: (any Encodable & Sendable)?,
        _ encoder: JSONEncoder?,
        _ query: QueryItems,
        _ fields: [String: String]?,
        _ timeout: TimeInterval?,
        _ allowsCellular: Bool,
        _ isIdempotent: Bool? = nil
    ) async throws(TeapotError) -> Response {
        let json = Request.Body.json
        return try await call(method, path, body, encoder, query, fields, timeout, allowsCellular, isIdempotent, json)
    }
}
