public import Foundation

/// The async verbs without a body. Each waits for the response, and throws a ``TeapotError``.
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
        let options = Options(headerFields, timeoutInterval, allowsCellular)
        return try await send(Request(.get, path, query, options))
    }

    /// Sends a `GET` request, and decodes the response with `decoder`, or with ``decoder`` of this Teapot if `nil`.
    ///
    /// Otherwise the same as without a type. If the body does not match the type, the call throws `decodingFailed`. If the body is
    /// empty, as with a 204, an optional type is `nil`. An ``EmptyResponse`` ignores the body.
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        as type: Value.Type,
        decoder: JSONDecoder? = nil,
        query: QueryItems = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true
    ) async throws(TeapotError) -> Value {
        let options = Options(headerFields, timeoutInterval, allowsCellular)
        return try await value(of: Request(.get, path, query, options), decoder: decoder)
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
        let options = Options(headerFields, timeoutInterval, allowsCellular)
        return try await send(Request(.head, path, query, options))
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
        let options = Options(headerFields, timeoutInterval, allowsCellular)
        return try await send(Request(.options, path, query, options))
    }

    /// Sends a request for JSON, and decodes the response.
    func value<Value: Decodable & Sendable>(of request: Request, decoder: JSONDecoder?) async throws(TeapotError)
        -> Value
    {
        var request = request
        if !Value.ignoresBody { request.accept = Request.Body.json }
        return try await send(request).decode(using: decoder)
    }
}
