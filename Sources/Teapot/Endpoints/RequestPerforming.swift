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
    ///
    /// - Parameter request: The request to send.
    /// - Returns: A response with a status from 200 to 299, or one that the request accepts.
    /// - Throws: The error of the call; `cancelled` when the waiting task was cancelled.
    @discardableResult
    func send(_ request: Teapot.Request) async throws(TeapotError) -> Teapot.Response
}

extension Teapot: RequestPerforming {}

extension RequestPerforming {
    /// Sends an endpoint, and waits for its value.
    ///
    /// - Parameter endpoint: The endpoint to send.
    /// - Returns: The value that the endpoint makes from the response.
    /// - Throws: The error of the call; `decodingFailed` if the body does not match the type, `cancelled` if the waiting task
    ///   was cancelled.
    @discardableResult
    public func send<E: Endpoint>(_ endpoint: E) async throws(TeapotError) -> E.Response {
        try await endpoint.result(of: outcome(of: endpoint)).get()
    }

    /// Sends an endpoint, and decodes the response as the given type, for example if one enum has all endpoints of an API.
    /// ``Endpoint/Response`` and ``Endpoint/parse(_:)`` are ignored; an ``EmptyResponse`` ignores the body.
    public func send<Value: Decodable & Sendable>(
        _ endpoint: some Endpoint,
        as type: Value.Type
    ) async throws(TeapotError) -> Value {
        try await endpoint.result(of: outcome(of: endpoint), as: type).get()
    }

    /// Not available: only a ``Teapot/Teapot`` has a queue for completions and returns tasks.
    @available(
        *,
        unavailable,
        message: "Closures are for a Teapot: depend on 'Teapot' instead of 'any RequestPerforming', or use 'try await'"
    )
    @discardableResult
    public func send<E: Endpoint>(
        _ endpoint: E,
        deliveryQueue: DispatchQueue? = nil,
        completion: @escaping @Sendable (Result<E.Response, TeapotError>) -> Void
    ) -> URLSessionTask? {
        nil
    }

    private func outcome(of endpoint: some Endpoint) async -> Result<Teapot.Response, TeapotError> {
        do throws(TeapotError) {
            guard let teapot = self as? Teapot else {
                return .success(try await send(Teapot.Request(endpoint)))
            }
            // An endpoint that cannot make a request fails like any other call, and is logged.
            return .success(try await teapot.response(to: try Teapot.Request(endpoint)))
        } catch {
            return .failure(error)
        }
    }
}
