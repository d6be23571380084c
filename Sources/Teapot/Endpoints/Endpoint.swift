public import Foundation

/// One call of an API as a value: where it goes, what it carries, and what comes back.
///
/// Only ``path`` has no default. The types are inferred from ``parse(_:)``, or declared by name:
///
/// ```swift
/// struct GetUser: Endpoint {
///     typealias Response = User
///     let id: Int
///     var path: String { "users/\(id)" }
/// }
///
/// let user = try await teapot.send(GetUser(id: 1))
/// ```
///
/// A ``Teapot/Teapot`` and any other ``RequestPerforming`` send it. It is made into a ``Teapot/Teapot/Request`` first, and takes
/// the same way from there as that of a verb.
public protocol Endpoint<Response>: Sendable {
    /// What the body of a success is; ``EmptyResponse``, which is not looked at, by default.
    associatedtype Response: Decodable & Sendable = EmptyResponse

    /// What the body of an `invalidResponseStatus` is, for ``TeapotError/decode(failureOf:)``; ``EmptyResponse`` by default.
    associatedtype Failure: Decodable & Sendable = EmptyResponse

    /// The path below the base URL, with or without a leading slash.
    var path: String { get }

    /// The method; `GET` by default.
    var method: HTTPMethod { get }

    /// Query items, encoded and appended last; none by default.
    var query: [URLQueryItem] { get }

    /// Header fields of this request; none by default.
    var headerFields: [String: String] { get }

    /// What to encode as JSON; `nil`, no body, by default. `Data` is sent as it stands.
    ///
    /// Any other body, such as a file or a form, is set in ``adjust(_:)``.
    var body: (any Encodable)? { get }

    /// Encodes the body; `nil`, for that of the ``Teapot/Teapot``, by default.
    var encoder: JSONEncoder? { get }

    /// Decodes the response and the body of an error; `nil`, for that of the ``Teapot/Teapot``, by default.
    var decoder: JSONDecoder? { get }

    /// Sets what has no property here, such as a timeout or a form as the body; does nothing by default.
    ///
    /// - Parameter request: The request, made of the properties.
    /// - Throws: Why it cannot be sent; the call fails with that.
    func adjust(_ request: inout Teapot.Request) throws(TeapotError)

    /// Makes the value of a response; by default, decodes the body with ``decoder``.
    ///
    /// It is called where the response is known: off the caller's actor and off the delivery queue. A mock's closure call, and
    /// `sendAndWait`, call it on the caller's thread.
    ///
    /// - Parameter response: A response with a status from 200 to 299.
    /// - Returns: The value.
    /// - Throws: Why there is none. A ``TeapotError`` fails the call as it is, any other error as the cause of `decodingFailed`;
    ///   either keeps the response and the body.
    func parse(_ response: Teapot.Response) throws -> Response
}

extension Endpoint {
    /// `GET`.
    public var method: HTTPMethod { .get }

    /// None.
    public var query: [URLQueryItem] { [] }

    /// None.
    public var headerFields: [String: String] { [:] }

    /// None.
    public var body: (any Encodable)? { nil }

    /// That of the ``Teapot/Teapot``.
    public var encoder: JSONEncoder? { nil }

    /// That of the ``Teapot/Teapot``.
    public var decoder: JSONDecoder? { nil }

    /// Does nothing.
    public func adjust(_ request: inout Teapot.Request) throws(TeapotError) {}

    /// Decodes the body with ``decoder``; that of an ``EmptyResponse`` is not looked at.
    public func parse(_ response: Teapot.Response) throws -> Response {
        try response.value(as: Response.self, using: decoder)
    }
}
