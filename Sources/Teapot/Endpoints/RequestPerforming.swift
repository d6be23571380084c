public import TeapotFoundation

/// What sends requests: what a client depends on instead of the class ``Teapot/Teapot``, where it prefers a protocol.
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
/// A ``Teapot/Teapot`` is one, and so is the mock of TeapotMock. One of your own may stand in for them, or wrap one.
public protocol RequestPerforming: Sendable {
    /// Sends a request, and waits for the response.
    ///
    /// - Parameter request: What to send.
    /// - Returns: A response with a status from 200 to 299.
    /// - Throws: What went wrong; `cancelled` when the task that waits was cancelled.
    @discardableResult
    func send(_ request: Teapot.Request) async throws(TeapotError) -> Teapot.Response
}

extension Teapot: RequestPerforming {}

extension RequestPerforming {
    /// Sends an endpoint, and waits for its value.
    ///
    /// - Parameter endpoint: What to send.
    /// - Returns: What the endpoint makes of the response.
    /// - Throws: What went wrong; `decodingFailed` when the body is something else, `cancelled` when the task that waits was
    ///   cancelled.
    @discardableResult
    public func send<E: Endpoint>(_ endpoint: E) async throws(TeapotError) -> E.Response {
        try await endpoint.result(of: outcome(of: endpoint)).get()
    }

    /// Sends an endpoint, and decodes the response as a type that the caller names, such as where one enum has all endpoints of
    /// an API. ``Endpoint/Response`` and ``Endpoint/parse(_:)`` do not count; an ``EmptyResponse`` is not read.
    public func send<Value: Decodable & Sendable>(
        _ endpoint: some Endpoint,
        as type: Value.Type
    ) async throws(TeapotError) -> Value {
        try await endpoint.result(of: outcome(of: endpoint), as: type).get()
    }

    /// Not available: only a ``Teapot/Teapot`` has a queue to call completions on, and tasks to hand out.
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
            // An endpoint that makes no request fails there like any other call: it is logged, and seen by plugins.
            return .success(
                try await teapot.response(
                    to: Result { () throws(TeapotError) in try Teapot.Request(endpoint) }
                )
            )
        } catch {
            return .failure(error)
        }
    }
}
