public import TeapotFoundation

/// Sends requests. A client can depend on this protocol instead of the class ``Teapot/Teapot``.
///
/// ```swift
/// struct UsersClient {
///     let api: any RequestPerforming
///
///     func user(_ id: Int) async throws(TeapotError) -> User {
///         try await api.send(GetUser(id: id))
///     }
/// }
/// ```
///
/// ``Teapot/Teapot`` and the mock of TeapotMock conform to it. Your own types can replace or wrap them.
public protocol RequestPerforming: Sendable {
    /// Sends a request, and waits for the response.
    /// - Returns: A response with a status from 200 to 299, or one that the request accepts.
    /// - Throws: The error of the call; `cancelled` when the waiting task was cancelled.
    @discardableResult func send(_ request: Teapot.Request) async throws(TeapotError) -> Teapot.Response
}

extension Teapot: RequestPerforming {}

extension RequestPerforming {
    /// Sends a request for JSON, and decodes the response with the decoder of the request, or of the ``Teapot/Teapot``.
    ///
    /// If the body is empty, as with a 204, an optional type is `nil`. An ``EmptyResponse`` ignores the body.
    /// - Throws: The error of the call; `decodingFailed` if the body does not match the type, `cancelled` if the waiting task
    ///   was cancelled.
    public func send<Value: Decodable & Sendable>(_ request: Teapot.Request, as type: Value.Type)
        async throws(TeapotError) -> Value
    {
        var request = request
        if !type.ignoresBody { request.accept = Teapot.Request.acceptsJSON }
        return try await response(to: request).value { (response) throws(TeapotError) in try response.decode() }
    }

    /// Sends an endpoint, and waits for the value that it makes from the response.
    /// - Throws: The same as ``send(_:as:)``.
    @discardableResult public func send<E: Endpoint>(_ endpoint: E) async throws(TeapotError) -> E.Response {
        try await response(to: try Teapot.Request(endpoint)).value { (response) throws(TeapotError) in
            try endpoint.value(of: response)
        }
    }

    /// Not available: only a ``Teapot/Teapot`` has a queue for completions and returns tasks.
    @available(
        *,
        unavailable,
        message: "Closures are for a Teapot: depend on 'Teapot' instead of 'any RequestPerforming', or use 'try await'"
    ) @discardableResult public func send<E: Endpoint>(
        _ endpoint: E,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (Result<E.Response, TeapotError>) -> Void
    ) -> URLSessionTask? { nil }

    /// The response, which the decoder of the request decodes, also if it is not a Teapot's.
    private func response(to request: @autoclosure () throws(TeapotError) -> Teapot.Request) async throws(TeapotError)
        -> Teapot.Response
    {
        // An endpoint that cannot make a request fails like any other call, and is logged.
        if let teapot = self as? Teapot { return try await teapot.response(to: try request()) }
        let request = try request()
        do throws(TeapotError) {
            let response = try await send(request)
            return response.with(response.details.with(decoder: request.decoder))
        } catch { throw error.with(error.details.with(decoder: request.decoder)) }
    }
}
