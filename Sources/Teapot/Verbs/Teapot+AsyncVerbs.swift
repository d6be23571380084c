/// The async verbs. Each waits for the response, and throws a ``TeapotError``. All other options of a call are properties of a
/// ``Teapot/Teapot/Request``, to be sent by `send`.
extension Teapot {
    /// Sends a `GET` request.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, with or without a leading slash; `""` is the base URL itself.
    ///   - query: Query items, encoded and appended last.
    ///   - headerFields: Header fields of this request.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: The error of the call; `cancelled` if the waiting task was cancelled.
    @discardableResult public func get(_ path: Path, query: QueryItems = [], headerFields: [String: String] = [:])
        async throws(TeapotError) -> Response
    { try await send(Request(path: path, query: query, headerFields: headerFields)) }

    /// Sends a `GET` request for JSON, and decodes the response with ``decoder``.
    ///
    /// Otherwise the same as without a type. If the body does not match the type, the call throws `decodingFailed`. If the body is
    /// empty, as with a 204, an optional type is `nil`. An ``EmptyResponse`` ignores the body.
    public func get<Value: Decodable & Sendable>(
        _ path: Path,
        as type: Value.Type,
        query: QueryItems = [],
        headerFields: [String: String] = [:]
    ) async throws(TeapotError) -> Value {
        try await send(Request(path: path, query: query, headerFields: headerFields), as: type)
    }

    /// Sends a `HEAD` request: it returns the status and header fields, but no body. The parameters are those of
    /// ``get(_:query:headerFields:)``.
    @discardableResult public func head(_ path: Path, query: QueryItems = [], headerFields: [String: String] = [:])
        async throws(TeapotError) -> Response
    { try await send(Request(.head, path: path, query: query, headerFields: headerFields)) }

    /// Sends an `OPTIONS` request: the response's header field `Allow` lists the supported methods (RFC 9110, section 9.3.7).
    /// The parameters are those of ``get(_:query:headerFields:)``.
    @discardableResult public func options(_ path: Path, query: QueryItems = [], headerFields: [String: String] = [:])
        async throws(TeapotError) -> Response
    { try await send(Request(.options, path: path, query: query, headerFields: headerFields)) }

    /// Sends a `POST` request. Its `body` is a value to send as JSON, encoded with ``encoder``; `Data` is sent unchanged,
    /// and `nil` is no body. For a form, a file or a stream, send a ``Request``. Otherwise the same as
    /// ``get(_:query:headerFields:)``. If encoding fails, the call throws `invalidPayload`.
    @discardableResult public func post(
        _ path: Path,
        body: (any Encodable & Sendable)? = nil,
        query: QueryItems = [],
        headerFields: [String: String] = [:]
    ) async throws(TeapotError) -> Response { try await send(Request(.post, path, body, query, headerFields)) }

    /// Sends a `POST` request, and decodes the response with ``decoder``. Otherwise the same as without a type. If the body does not
    /// match the type, the call throws `decodingFailed`.
    public func post<Value: Decodable & Sendable>(
        _ path: Path,
        body: (any Encodable & Sendable)? = nil,
        as type: Value.Type,
        query: QueryItems = [],
        headerFields: [String: String] = [:]
    ) async throws(TeapotError) -> Value { try await send(Request(.post, path, body, query, headerFields), as: type) }

    /// Sends a `PUT` request. The parameters are those of ``post(_:body:query:headerFields:)``.
    @discardableResult public func put(
        _ path: Path,
        body: (any Encodable & Sendable)? = nil,
        query: QueryItems = [],
        headerFields: [String: String] = [:]
    ) async throws(TeapotError) -> Response { try await send(Request(.put, path, body, query, headerFields)) }

    /// Sends a `PUT` request, and decodes the response. The parameters are those of ``post(_:body:as:query:headerFields:)``.
    public func put<Value: Decodable & Sendable>(
        _ path: Path,
        body: (any Encodable & Sendable)? = nil,
        as type: Value.Type,
        query: QueryItems = [],
        headerFields: [String: String] = [:]
    ) async throws(TeapotError) -> Value { try await send(Request(.put, path, body, query, headerFields), as: type) }

    /// Sends a `PATCH` request. The parameters are those of ``post(_:body:query:headerFields:)``.
    @discardableResult public func patch(
        _ path: Path,
        body: (any Encodable & Sendable)? = nil,
        query: QueryItems = [],
        headerFields: [String: String] = [:]
    ) async throws(TeapotError) -> Response { try await send(Request(.patch, path, body, query, headerFields)) }

    /// Sends a `PATCH` request, and decodes the response. The parameters are those of ``post(_:body:as:query:headerFields:)``.
    public func patch<Value: Decodable & Sendable>(
        _ path: Path,
        body: (any Encodable & Sendable)? = nil,
        as type: Value.Type,
        query: QueryItems = [],
        headerFields: [String: String] = [:]
    ) async throws(TeapotError) -> Value { try await send(Request(.patch, path, body, query, headerFields), as: type) }

    /// Sends a `DELETE` request. The parameters are those of ``post(_:body:query:headerFields:)``.
    @discardableResult public func delete(
        _ path: Path,
        body: (any Encodable & Sendable)? = nil,
        query: QueryItems = [],
        headerFields: [String: String] = [:]
    ) async throws(TeapotError) -> Response { try await send(Request(.delete, path, body, query, headerFields)) }

    /// Sends a `DELETE` request, and decodes the response. The parameters are those of ``post(_:body:as:query:headerFields:)``.
    public func delete<Value: Decodable & Sendable>(
        _ path: Path,
        body: (any Encodable & Sendable)? = nil,
        as type: Value.Type,
        query: QueryItems = [],
        headerFields: [String: String] = [:]
    ) async throws(TeapotError) -> Value { try await send(Request(.delete, path, body, query, headerFields), as: type) }
}

extension Teapot.Request {
    @inline(never)  // Each verb would contain all of it.
    fileprivate init(
        _ method: Teapot.HTTPMethod,
        _ path: Teapot.Path,
        _ body: (any Encodable & Sendable)?,
        _ query: Teapot.QueryItems,
        _ headerFields: [String: String]
    ) { self.init(method, path: path, query: query, headerFields: headerFields, body: body.map(Body.init(encoding:))) }
}
