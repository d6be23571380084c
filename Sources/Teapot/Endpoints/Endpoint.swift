public import Foundation

/// A call of an API as a value: its destination, its contents, and the type of its response.
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
/// A ``Teapot/Teapot`` and any other ``RequestPerforming`` can send it. It is converted to a ``Teapot/Teapot/Request`` and then
/// sent like the request of a verb.
///
/// The types of the properties are associated types, so that a property of the wrong type does not compile. Otherwise Swift
/// would treat it as unrelated to the protocol, and the default would be sent.
public protocol Endpoint<Response>: Sendable {
    /// The type of a successful response. The default is ``EmptyResponse``, which ignores the body.
    ///
    /// It must be `Decodable`, unless the endpoint implements ``parse(_:)``.
    associatedtype Response: Sendable = EmptyResponse

    /// The type of an error body, for ``TeapotError/decode(failureOf:)``; ``EmptyResponse`` by default.
    associatedtype Failure: Decodable & Sendable = EmptyResponse

    /// The type of ``body``: `Encodable` and `Sendable`, optional or not.
    associatedtype Body = Never?
    /// `HTTPMethod`.
    associatedtype RequestMethod = HTTPMethod
    /// `QueryItems`.
    associatedtype RequestQuery = QueryItems
    /// `[String: String]`.
    associatedtype RequestHeaderFields = [String: String]
    /// `Set<Int>`.
    associatedtype RequestStatuses = Set<Int>
    /// `URL?`.
    associatedtype RequestBaseURL = URL?
    /// `JSONEncoder?`.
    associatedtype BodyEncoder = JSONEncoder?
    /// `JSONDecoder?`.
    associatedtype ResponseDecoder = JSONDecoder?

    /// The path below the base URL, with or without a leading slash.
    var path: String { get }

    /// The URL that the path is appended to, of type `URL?`; `nil`, the base URL of the ``Teapot/Teapot``, by default. See
    /// ``Teapot/Teapot/Request/baseURL``.
    var baseURL: RequestBaseURL { get }

    /// The method, an `HTTPMethod`; `GET` by default.
    var method: RequestMethod { get }

    /// The query items, of type `QueryItems`, encoded and appended last; none by default.
    var query: RequestQuery { get }

    /// The header fields of this request, of type `[String: String]`; none by default.
    var headerFields: RequestHeaderFields { get }

    /// The statuses of a success besides 200 to 299, of type `Set<Int>`; none by default. ``parse(_:)`` takes such a response,
    /// too. See ``Teapot/Teapot/Request/acceptedStatuses``.
    var acceptedStatuses: RequestStatuses { get }

    /// The value to send as JSON; `nil`, no body, by default.
    ///
    /// `Data` and ``Teapot/Teapot/Request/Body`` are sent unchanged, for example a file or a form. If one type has several
    /// endpoints, use `Teapot.Request.Body?`.
    var body: Body { get }

    /// Encodes the body, a `JSONEncoder?`; `nil`, the encoder of the ``Teapot/Teapot``, by default.
    var encoder: BodyEncoder { get }

    /// Decodes responses and error bodies, a `JSONDecoder?`; `nil`, the decoder of the ``Teapot/Teapot``, by default.
    var decoder: ResponseDecoder { get }

    /// Sets properties of the request that the endpoint lacks, such as a timeout; does nothing by default.
    ///
    /// - Parameter request: The request made from the properties.
    /// - Throws: An error if the request cannot be sent; the call fails with it.
    func adjust(_ request: inout Teapot.Request) throws(TeapotError)

    /// Makes the request. Use the default, which takes the properties and then calls ``adjust(_:)``.
    ///
    /// If the compiler reports that this method is missing, a property has the wrong type.
    ///
    /// - Returns: The request.
    /// - Throws: The error of ``adjust(_:)``.
    func makeRequest() throws(TeapotError) -> Teapot.Request

    /// Makes the value from a response; by default, decodes the body with ``decoder``.
    ///
    /// It is called off the caller's actor and off the delivery queue. A mock's closure call, and `sendAndWait`, call it on the
    /// caller's thread.
    ///
    /// - Parameter response: A response with a status from 200 to 299, or one of ``acceptedStatuses``.
    /// - Returns: The value.
    /// - Throws: An error if there is no value. A ``TeapotError`` fails the call unchanged, any other error as the cause of
    ///   `decodingFailed`; either keeps the response and the body.
    func parse(_ response: Teapot.Response) throws -> Response
}

extension Endpoint
where
    RequestBaseURL == URL?, RequestMethod == HTTPMethod, RequestQuery == QueryItems,
    RequestHeaderFields == [String: String], RequestStatuses == Set<Int>, BodyEncoder == JSONEncoder?,
    ResponseDecoder == JSONDecoder?
{
    /// The base URL of the ``Teapot/Teapot``.
    public var baseURL: URL? { nil }
    /// `GET`.
    public var method: HTTPMethod { .get }
    /// None.
    public var query: QueryItems { [] }
    /// None.
    public var headerFields: [String: String] { [:] }
    /// None.
    public var acceptedStatuses: Set<Int> { [] }
    /// The encoder of the ``Teapot/Teapot``.
    public var encoder: JSONEncoder? { nil }
    /// The decoder of the ``Teapot/Teapot``.
    public var decoder: JSONDecoder? { nil }
}

extension Endpoint where Body == Never? {
    /// None.
    public var body: Never? { nil }
}

extension Endpoint
where
    RequestBaseURL == URL?, RequestMethod == HTTPMethod, RequestQuery == QueryItems,
    RequestHeaderFields == [String: String], RequestStatuses == Set<Int>, Body: Encodable & Sendable,
    BodyEncoder == JSONEncoder?, ResponseDecoder == JSONDecoder?
{
    /// Makes the request from the properties, and calls ``adjust(_:)``.
    ///
    /// - Returns: The request.
    /// - Throws: The error of ``adjust(_:)``.
    public func makeRequest() throws(TeapotError) -> Teapot.Request {
        var request = Teapot.Request(
            method,
            path: path,
            query: query,
            headerFields: headerFields,
            baseURL: baseURL
        )
        if let type = Response.self as? any Decodable.Type, !type.ignoresBody {
            // The response may have another type, which `parse` accepts.
            request.accept = "\(Teapot.Request.Body.json), */*;q=0.5"
        }
        request.acceptedStatuses = acceptedStatuses
        let body = body
        if (body as? any OptionalBody)?.isNil != true {
            request.body = Teapot.Request.Body(encoding: body, using: encoder)
        }
        try adjust(&request)
        return request
    }
}

extension Endpoint where Response: Decodable {
    /// Decodes the body with ``decoder``; an ``EmptyResponse`` ignores the body.
    ///
    /// - Parameter response: A response with a status from 200 to 299, or one of ``acceptedStatuses``.
    /// - Returns: The value.
    /// - Throws: `decodingFailed`.
    public func parse(_ response: Teapot.Response) throws -> Response {
        try response.decode(Response.self, using: decoder as? JSONDecoder)
    }
}

/// A body that may be missing.
private protocol OptionalBody {
    var isNil: Bool { get }
}

extension Optional: OptionalBody {
    fileprivate var isNil: Bool { if case .none = self { true } else { false } }
}

/// The default ``Endpoint/Response`` and ``Endpoint/Failure`` of an endpoint.
///
/// Wherever Teapot decodes it, it ignores the body, which can be missing or of any kind. It is encoded as the JSON object `{}`.
public struct EmptyResponse: Codable, Hashable, Sendable {
    /// Makes an empty response.
    public init() {}
}

extension Teapot.Request {
    /// Makes the request of an endpoint; nothing is sent yet.
    ///
    /// Sending an endpoint does this automatically. Use it for other calls that take a request, such as
    /// ``Teapot/Teapot/bytes(_:)``, and to test endpoints.
    ///
    /// - Parameter endpoint: The endpoint.
    /// - Throws: The error of ``Endpoint/adjust(_:)``.
    public init(_ endpoint: some Endpoint) throws(TeapotError) {
        self = try endpoint.makeRequest()
        self.endpoint = endpoint
    }
}

/// The conversion of an outcome, shared by all kinds of calls.
extension Endpoint {
    /// Does nothing.
    public func adjust(_ request: inout Teapot.Request) throws(TeapotError) {}

    /// The value that ``parse(_:)`` makes from a response.
    func result(of outcome: Result<Teapot.Response, TeapotError>) -> Result<Response, TeapotError> {
        result(of: outcome, parse)
    }

    /// The body as a type other than ``Response``.
    func result<Value: Decodable>(
        of outcome: Result<Teapot.Response, TeapotError>,
        as type: Value.Type
    ) -> Result<Value, TeapotError> {
        result(of: outcome) { response in try response.decode(type, using: decoder as? JSONDecoder) }
    }

    private func result<Value>(
        of outcome: Result<Teapot.Response, TeapotError>,
        _ parse: (Teapot.Response) throws -> Value
    ) -> Result<Value, TeapotError> {
        let decoder = decoder as? JSONDecoder
        switch outcome {
        case .success(let response):
            let response = response.decoding(with: decoder)
            return Result { try parse(response) }.mapError(response.parsingError)
        case .failure(let error): return .failure(error.decoding(with: decoder))
        }
    }
}

extension TeapotError {
    /// Decodes the body as the ``Endpoint/Failure`` of an endpoint, with the endpoint's own decoder if the endpoint was sent.
    ///
    /// ```swift
    /// let problem = try error.decode(failureOf: GetUser.self)
    /// ```
    ///
    /// - Parameter endpoint: The type of the endpoint.
    /// - Returns: The value. An ``EmptyResponse`` ignores the body, but needs a response.
    /// - Throws: `decodingFailed` if there is no response, or if its body does not match the type.
    public func decode<E: Endpoint>(failureOf endpoint: E.Type) throws(TeapotError) -> E.Failure {
        try decode(E.Failure.self)
    }

    /// Makes the error of a response with a status other than 200 to 299, for a ``RequestPerforming`` of your own.
    ///
    /// - Parameter response: The response.
    /// - Returns: The error, with the response and its body.
    public static func invalidResponseStatus(_ response: Teapot.Response) -> TeapotError {
        invalidResponseStatus(response.http, data: response.data)
    }

    /// The error with a decoder for its body, if one is given.
    func decoding(with decoder: JSONDecoder?) -> TeapotError {
        decoder.map { with(details.with(decoder: $0)) } ?? self
    }
}
