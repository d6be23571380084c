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

/// What an ``Endpoint`` without a `Response` or a `Failure` of its own has for it: nothing.
///
/// The body that came is not looked at, so that there may be one, of any kind. Encoded, it is the JSON object `{}`.
public struct EmptyResponse: Codable, Hashable, Sendable {
    /// Makes it.
    public init() {}
}

extension Teapot.Request {
    /// Makes the request of an endpoint; nothing is sent yet.
    ///
    /// Those who send endpoints do this. It is here for the other calls that take a request, such as
    /// ``Teapot/Teapot/bytes(_:)``, and for tests of endpoints.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - encoder: Encodes the body if the endpoint has no encoder of its own; one that sorts keys and leaves slashes as they
    ///     are if `nil`.
    /// - Throws: `invalidPayload` when the body cannot be encoded, saying where; what ``Endpoint/adjust(_:)`` throws.
    public init(_ endpoint: some Endpoint, encoder: JSONEncoder? = nil) throws(TeapotError) {
        self.init(
            endpoint.method,
            path: endpoint.path,
            query: endpoint.query,
            headerFields: endpoint.headerFields
        )
        if let value = endpoint.body { body = try Body(encoding: value, using: endpoint.encoder ?? encoder) }
        try endpoint.adjust(&self)
        self.endpoint = endpoint
    }
}

/// What all shapes of a call make of its outcome.
extension Endpoint {
    /// What ``parse(_:)`` makes of a response.
    func result(of outcome: Result<Teapot.Response, TeapotError>) -> Result<Response, TeapotError> {
        result(of: outcome, parse)
    }

    /// The body as another type than ``Response``.
    func result<Value: Decodable>(
        of outcome: Result<Teapot.Response, TeapotError>,
        as type: Value.Type
    ) -> Result<Value, TeapotError> {
        result(of: outcome) { response in try response.value(as: type, using: decoder) }
    }

    private func result<Value>(
        of outcome: Result<Teapot.Response, TeapotError>,
        _ parse: (Teapot.Response) throws -> Value
    ) -> Result<Value, TeapotError> {
        let decoder = decoder
        return Result { () throws(TeapotError) in
            let response: Teapot.Response
            do throws(TeapotError) {
                response = try outcome.get().decoding(with: decoder)
            } catch {
                throw error.decoding(with: decoder)
            }
            do {
                return try parse(response)
            } catch {
                throw response.parsingError(error)
            }
        }
    }
}

extension Teapot.Response {
    /// The body as a value, but that of an ``EmptyResponse`` is not looked at.
    func value<Value: Decodable>(
        as type: Value.Type,
        using decoder: JSONDecoder?
    ) throws(TeapotError) -> Value {
        if let empty = EmptyResponse() as? Value { return empty }
        return try decode(type, using: decoder)
    }
}

extension TeapotError {
    /// Decodes the body as the ``Endpoint/Failure`` of an endpoint, with the endpoint's own decoder if it was sent by one.
    ///
    /// ```swift
    /// let problem = try error.decode(failureOf: GetUser.self)
    /// ```
    ///
    /// - Parameter endpoint: The type of the endpoint.
    /// - Returns: The value. The body of an ``EmptyResponse`` is not looked at, but there has to be a response.
    /// - Throws: `decodingFailed` when there is no body, or when it is something else.
    public func decode<E: Endpoint>(failureOf endpoint: E.Type) throws(TeapotError) -> E.Failure {
        if data != nil, let empty = EmptyResponse() as? E.Failure { return empty }
        return try decode(E.Failure.self)
    }

    /// The error of a response whose status is not one from 200 to 299, for a ``RequestPerforming`` of your own.
    ///
    /// - Parameter response: The response.
    /// - Returns: The error, with the response and its body.
    public static func invalidResponseStatus(_ response: Teapot.Response) -> TeapotError {
        invalidResponseStatus(response.http, data: response.data)
    }

    /// The error with what decodes its body, if that is given.
    func decoding(with decoder: JSONDecoder?) -> TeapotError {
        decoder.map { with(details.decoding(with: $0)) } ?? self
    }
}
