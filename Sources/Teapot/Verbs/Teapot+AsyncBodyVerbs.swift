public import Foundation

/// The async verbs with a body of any encodable type: sent as JSON, but `Data` and ``Teapot/Teapot/Request/Body`` unchanged.
/// Each returns the response, or a value decoded from it.
extension Teapot {
    /// Sends a `POST` request.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL.
    ///   - body: The value to send as JSON. `Data` and ``Teapot/Teapot/Request/Body`` (bytes, a file or a form) are sent
    ///     unchanged. `nil` is no body.
    ///   - encoder: Encodes the body; ``encoder`` of this Teapot if `nil`.
    ///   - query: Query items, encoded and appended last.
    ///   - headerFields: Header fields of this request.
    ///   - timeoutInterval: Seconds without progress after which the call fails; ``timeoutInterval`` if `nil`.
    ///   - allowsCellular: Whether the call may use a cellular network; without effect on Linux.
    ///   - isIdempotent: Whether the request may be sent again: see ``Teapot/Teapot/Request/isIdempotent``.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: The error of the call; `invalidPayload` if the body cannot be encoded, `cancelled` if the waiting task is
    ///   cancelled.
    @discardableResult
    public func post(
        _ path: String,
        body: (any Encodable & Sendable)? = nil,
        encoder: JSONEncoder? = nil,
        query: QueryItems = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        isIdempotent: Bool? = nil
    ) async throws(TeapotError) -> Response {
        let options = Options(headerFields, timeoutInterval, allowsCellular, isIdempotent)
        return try await send(Request(.post, path, query, options, encoding: body, encoder))
    }

    /// Sends a `POST` request, and decodes the response with `decoder`, or with ``decoder`` of this Teapot if `nil`.
    ///
    /// Otherwise the same as without a type. If the body does not match the type, the call throws `decodingFailed`.
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        body: (any Encodable & Sendable)? = nil,
        as type: Value.Type,
        encoder: JSONEncoder? = nil,
        decoder: JSONDecoder? = nil,
        query: QueryItems = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        isIdempotent: Bool? = nil
    ) async throws(TeapotError) -> Value {
        let options = Options(headerFields, timeoutInterval, allowsCellular, isIdempotent)
        return try await value(of: Request(.post, path, query, options, encoding: body, encoder), decoder: decoder)
    }

    /// Sends a `PUT` request. The parameters are those of
    /// ``post(_:body:encoder:query:headerFields:timeoutInterval:allowsCellular:isIdempotent:)``.
    @discardableResult
    public func put(
        _ path: String,
        body: (any Encodable & Sendable)? = nil,
        encoder: JSONEncoder? = nil,
        query: QueryItems = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        isIdempotent: Bool? = nil
    ) async throws(TeapotError) -> Response {
        let options = Options(headerFields, timeoutInterval, allowsCellular, isIdempotent)
        return try await send(Request(.put, path, query, options, encoding: body, encoder))
    }

    /// Sends a `PUT` request, and decodes the response. The parameters are those of
    /// ``post(_:body:as:encoder:decoder:query:headerFields:timeoutInterval:allowsCellular:isIdempotent:)``.
    public func put<Value: Decodable & Sendable>(
        _ path: String,
        body: (any Encodable & Sendable)? = nil,
        as type: Value.Type,
        encoder: JSONEncoder? = nil,
        decoder: JSONDecoder? = nil,
        query: QueryItems = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        isIdempotent: Bool? = nil
    ) async throws(TeapotError) -> Value {
        let options = Options(headerFields, timeoutInterval, allowsCellular, isIdempotent)
        return try await value(of: Request(.put, path, query, options, encoding: body, encoder), decoder: decoder)
    }

    /// Sends a `PATCH` request. The parameters are those of
    /// ``post(_:body:encoder:query:headerFields:timeoutInterval:allowsCellular:isIdempotent:)``.
    @discardableResult
    public func patch(
        _ path: String,
        body: (any Encodable & Sendable)? = nil,
        encoder: JSONEncoder? = nil,
        query: QueryItems = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        isIdempotent: Bool? = nil
    ) async throws(TeapotError) -> Response {
        let options = Options(headerFields, timeoutInterval, allowsCellular, isIdempotent)
        return try await send(Request(.patch, path, query, options, encoding: body, encoder))
    }

    /// Sends a `PATCH` request, and decodes the response. The parameters are those of
    /// ``post(_:body:as:encoder:decoder:query:headerFields:timeoutInterval:allowsCellular:isIdempotent:)``.
    public func patch<Value: Decodable & Sendable>(
        _ path: String,
        body: (any Encodable & Sendable)? = nil,
        as type: Value.Type,
        encoder: JSONEncoder? = nil,
        decoder: JSONDecoder? = nil,
        query: QueryItems = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        isIdempotent: Bool? = nil
    ) async throws(TeapotError) -> Value {
        let options = Options(headerFields, timeoutInterval, allowsCellular, isIdempotent)
        return try await value(of: Request(.patch, path, query, options, encoding: body, encoder), decoder: decoder)
    }

    /// Sends a `DELETE` request. The parameters are those of
    /// ``post(_:body:encoder:query:headerFields:timeoutInterval:allowsCellular:isIdempotent:)``.
    @discardableResult
    public func delete(
        _ path: String,
        body: (any Encodable & Sendable)? = nil,
        encoder: JSONEncoder? = nil,
        query: QueryItems = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        isIdempotent: Bool? = nil
    ) async throws(TeapotError) -> Response {
        let options = Options(headerFields, timeoutInterval, allowsCellular, isIdempotent)
        return try await send(Request(.delete, path, query, options, encoding: body, encoder))
    }

    /// Sends a `DELETE` request, and decodes the response. The parameters are those of
    /// ``post(_:body:as:encoder:decoder:query:headerFields:timeoutInterval:allowsCellular:isIdempotent:)``.
    public func delete<Value: Decodable & Sendable>(
        _ path: String,
        body: (any Encodable & Sendable)? = nil,
        as type: Value.Type,
        encoder: JSONEncoder? = nil,
        decoder: JSONDecoder? = nil,
        query: QueryItems = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true,
        isIdempotent: Bool? = nil
    ) async throws(TeapotError) -> Value {
        let options = Options(headerFields, timeoutInterval, allowsCellular, isIdempotent)
        return try await value(of: Request(.delete, path, query, options, encoding: body, encoder), decoder: decoder)
    }
}
