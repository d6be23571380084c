import TeapotFoundation

/// A call of an API as a value: its request, and the type of its response.
///
/// ```swift
/// struct GetUser: Endpoint {
///     typealias Response = User
///     let id: Int
///     var request: Teapot.Request { "users/\(id)" }
/// }
///
/// let user = try await teapot.send(GetUser(id: 1))
/// ```
///
/// A ``Teapot/Teapot`` and any other ``RequestPerforming`` can send it.
public protocol Endpoint<Response>: Sendable {
    /// The type of a response: `Decodable`, or made by ``parse(_:)``. The default, ``EmptyResponse``, ignores the body.
    associatedtype Response: Sendable = EmptyResponse

    /// The type of an error body, for `error.decode(GetUser.Failure.self)`; ``EmptyResponse`` by default.
    associatedtype Failure: Decodable & Sendable = EmptyResponse

    /// The request, made on the caller's thread or task when the call begins. A path alone is a `GET`. If this throws,
    /// the call fails with the error.
    var request: Teapot.Request { get throws(TeapotError) }

    /// Makes the value from a response with a status from 200 to 299, or one of
    /// ``Teapot/Teapot/Request/acceptedStatuses``; by default, decodes the body.
    ///
    /// It is called off the caller's actor and off the delivery queue, but a mock's closure call and `sendAndWait` call
    /// it on the caller's thread.
    ///
    /// - Throws: A ``TeapotError`` fails the call unchanged, any other error as the cause of `decodingFailed`; either
    ///   keeps the response and the body.
    func parse(_ response: Teapot.Response) throws -> Response
}

extension Endpoint where Response: Decodable {
    /// Decodes the body with the decoder of the request or the ``Teapot/Teapot``, or throws `decodingFailed`. An
    /// ``EmptyResponse`` ignores the body.
    public func parse(_ response: Teapot.Response) throws -> Response { try response.decode() }
}

extension Endpoint {
    func value(of response: Teapot.Response) throws(TeapotError) -> Response {
        do { return try parse(response) } catch { throw response.parsingError(error) }
    }
}

extension Teapot.Request {
    // Made once, because making a dictionary takes more instructions than the rest of a request.
    static let acceptsJSON = ["Accept": Body.json]
    static let prefersJSON = ["Accept": "\(Body.json), */*;q=0.5"]

    /// Makes the request of an endpoint, or throws its error. A mock can answer the request by the endpoint's type.
    ///
    /// Sending an endpoint does this. Use it to test endpoints, and for calls such as ``Teapot/Teapot/bytes(_:)``.
    public init<E: Endpoint>(_ endpoint: E) throws(TeapotError) {
        self = try endpoint.request
        self.endpoint = Indirect(endpoint)
        if let type = E.Response.self as? any Decodable.Type, !type.ignoresBody {
            // The response may have another type, which `parse` accepts.
            accept = Self.prefersJSON
        }
    }
}
