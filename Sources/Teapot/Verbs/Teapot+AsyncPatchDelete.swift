public import Foundation

/// More async verbs with a body: a ``Teapot/Teapot/Request/Body``, or a value that is encoded as JSON. Each returns the response, or
/// a value decoded from it.
extension Teapot {
    /// Sends a `PATCH` request.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL.
    ///   - body: The body: bytes, a file or a form.
    ///   - query: Query items, encoded and appended last.
    ///   - headerFields: Header fields of this request.
    ///   - timeoutInterval: Seconds without progress after which the call fails.
    ///   - allowsCellular: Whether the call may use a cellular network; without effect on Linux.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: What went wrong; `cancelled` when the task that waits is cancelled.
    @discardableResult
    public func patch(
        _ path: String,
        body: Request.Body? = nil,
        query: [URLQueryItem] = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval = 15,
        allowsCellular: Bool = true
    ) async throws(TeapotError) -> Response {
        try await call(.patch, path, query, headerFields, timeoutInterval, allowsCellular) { () throws(TeapotError) in
            body
        }
    }

    /// Sends a `PATCH` request with a value.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL.
    ///   - body: What to encode as JSON. `Data` is sent as it stands, `nil` is no body.
    ///   - encoder: Encodes it; ``encoder`` if `nil`.
    ///   - query: Query items, encoded and appended last.
    ///   - headerFields: Header fields of this request.
    ///   - timeoutInterval: Seconds without progress after which the call fails.
    ///   - allowsCellular: Whether the call may use a cellular network; without effect on Linux.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: What went wrong; `invalidPayload` when the value cannot be encoded.
    @discardableResult
    public func patch(
        _ path: String,
        body: (some Encodable & Sendable)?,
        encoder: JSONEncoder? = nil,
        query: [URLQueryItem] = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval = 15,
        allowsCellular: Bool = true
    ) async throws(TeapotError) -> Response {
        try await call(.patch, path, query, headerFields, timeoutInterval, allowsCellular) { () throws(TeapotError) in
            try body.map { (body) throws(TeapotError) in
                try Request.Body(encoding: body, using: encoder ?? self.encoder)
            }
        }
    }

    /// Sends a `PATCH` request, and decodes the response with `decoder`, or with ``decoder`` of this Teapot if `nil`.
    ///
    /// The rest is as without a type; a body that is something else is `decodingFailed`.
    public func patch<Value: Decodable & Sendable>(
        _ path: String,
        body: Request.Body? = nil,
        as type: Value.Type,
        decoder: JSONDecoder? = nil,
        query: [URLQueryItem] = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval = 15,
        allowsCellular: Bool = true
    ) async throws(TeapotError) -> Value {
        try await patch(
            path,
            body: body,
            query: query,
            headerFields: headerFields,
            timeoutInterval: timeoutInterval,
            allowsCellular: allowsCellular
        ).decode(using: decoder)
    }

    /// Sends a `PATCH` request with a value, and decodes the response with `decoder`, or with ``decoder`` of this Teapot if
    /// `nil`.
    ///
    /// The rest is as without a type; a body that is something else is `decodingFailed`.
    public func patch<Value: Decodable & Sendable>(
        _ path: String,
        body: (some Encodable & Sendable)?,
        as type: Value.Type,
        encoder: JSONEncoder? = nil,
        decoder: JSONDecoder? = nil,
        query: [URLQueryItem] = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval = 15,
        allowsCellular: Bool = true
    ) async throws(TeapotError) -> Value {
        try await patch(
            path,
            body: body,
            encoder: encoder,
            query: query,
            headerFields: headerFields,
            timeoutInterval: timeoutInterval,
            allowsCellular: allowsCellular
        ).decode(using: decoder)
    }

    /// Sends a `DELETE` request.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL.
    ///   - body: The body: bytes, a file or a form.
    ///   - query: Query items, encoded and appended last.
    ///   - headerFields: Header fields of this request.
    ///   - timeoutInterval: Seconds without progress after which the call fails.
    ///   - allowsCellular: Whether the call may use a cellular network; without effect on Linux.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: What went wrong; `cancelled` when the task that waits is cancelled.
    @discardableResult
    public func delete(
        _ path: String,
        body: Request.Body? = nil,
        query: [URLQueryItem] = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval = 15,
        allowsCellular: Bool = true
    ) async throws(TeapotError) -> Response {
        try await call(.delete, path, query, headerFields, timeoutInterval, allowsCellular) { () throws(TeapotError) in
            body
        }
    }

    /// Sends a `DELETE` request with a value.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL.
    ///   - body: What to encode as JSON. `Data` is sent as it stands, `nil` is no body.
    ///   - encoder: Encodes it; ``encoder`` if `nil`.
    ///   - query: Query items, encoded and appended last.
    ///   - headerFields: Header fields of this request.
    ///   - timeoutInterval: Seconds without progress after which the call fails.
    ///   - allowsCellular: Whether the call may use a cellular network; without effect on Linux.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: What went wrong; `invalidPayload` when the value cannot be encoded.
    @discardableResult
    public func delete(
        _ path: String,
        body: (some Encodable & Sendable)?,
        encoder: JSONEncoder? = nil,
        query: [URLQueryItem] = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval = 15,
        allowsCellular: Bool = true
    ) async throws(TeapotError) -> Response {
        try await call(.delete, path, query, headerFields, timeoutInterval, allowsCellular) { () throws(TeapotError) in
            try body.map { (body) throws(TeapotError) in
                try Request.Body(encoding: body, using: encoder ?? self.encoder)
            }
        }
    }

    /// Sends a `DELETE` request, and decodes the response with `decoder`, or with ``decoder`` of this Teapot if `nil`.
    ///
    /// The rest is as without a type; a body that is something else is `decodingFailed`.
    public func delete<Value: Decodable & Sendable>(
        _ path: String,
        body: Request.Body? = nil,
        as type: Value.Type,
        decoder: JSONDecoder? = nil,
        query: [URLQueryItem] = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval = 15,
        allowsCellular: Bool = true
    ) async throws(TeapotError) -> Value {
        try await delete(
            path,
            body: body,
            query: query,
            headerFields: headerFields,
            timeoutInterval: timeoutInterval,
            allowsCellular: allowsCellular
        ).decode(using: decoder)
    }

    /// Sends a `DELETE` request with a value, and decodes the response with `decoder`, or with ``decoder`` of this Teapot if
    /// `nil`.
    ///
    /// The rest is as without a type; a body that is something else is `decodingFailed`.
    public func delete<Value: Decodable & Sendable>(
        _ path: String,
        body: (some Encodable & Sendable)?,
        as type: Value.Type,
        encoder: JSONEncoder? = nil,
        decoder: JSONDecoder? = nil,
        query: [URLQueryItem] = [],
        headerFields: [String: String]? = nil,
        timeoutInterval: TimeInterval = 15,
        allowsCellular: Bool = true
    ) async throws(TeapotError) -> Value {
        try await delete(
            path,
            body: body,
            encoder: encoder,
            query: query,
            headerFields: headerFields,
            timeoutInterval: timeoutInterval,
            allowsCellular: allowsCellular
        ).decode(using: decoder)
    }
}
