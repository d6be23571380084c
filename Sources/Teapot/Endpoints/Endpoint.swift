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
///
/// The types of the properties are associated types, so that a property of another type than the one stated below does not
/// compile. Otherwise Swift would take it for a property that has nothing to do with the protocol, and send the default.
public protocol Endpoint<Response>: Sendable {
    /// What the body of a success is. The default is ``EmptyResponse``, for which the body is not looked at.
    ///
    /// It is `Decodable`, unless the endpoint has a ``parse(_:)`` of its own.
    associatedtype Response: Sendable = EmptyResponse

    /// What the body of an `invalidResponseStatus` is, for ``TeapotError/decode(failureOf:)``; ``EmptyResponse`` by default.
    associatedtype Failure: Decodable & Sendable = EmptyResponse

    /// What ``body`` is: `Encodable` and `Sendable`, optional or not.
    associatedtype Body = Never?
    /// `HTTPMethod`.
    associatedtype RequestMethod = HTTPMethod
    /// `[URLQueryItem]`.
    associatedtype RequestQuery = [URLQueryItem]
    /// `[String: String]`.
    associatedtype RequestHeaderFields = [String: String]
    /// `URL?`.
    associatedtype RequestBaseURL = URL?
    /// `JSONEncoder?`.
    associatedtype BodyEncoder = JSONEncoder?
    /// `JSONDecoder?`.
    associatedtype ResponseDecoder = JSONDecoder?

    /// The path below the base URL, with or without a leading slash.
    var path: String { get }

    /// The URL that the path is appended to, of type `URL?`; by default `nil`, which is that of the ``Teapot/Teapot``. See
    /// ``Teapot/Teapot/Request/baseURL``.
    var baseURL: RequestBaseURL { get }

    /// The method, an `HTTPMethod`; `GET` by default.
    var method: RequestMethod { get }

    /// Query items of type `[URLQueryItem]`, encoded and appended last; none by default.
    var query: RequestQuery { get }

    /// Header fields of this request, of type `[String: String]`; none by default.
    var headerFields: RequestHeaderFields { get }

    /// What to encode as JSON when the request is sent; nothing by default, as with `nil`.
    ///
    /// `Data` is sent as it stands, and so is a ``Teapot/Teapot/Request/Body``, such as a file or a form. Where one type has
    /// several endpoints, the body is a `Teapot.Request.Body?`.
    var body: Body { get }

    /// Encodes the body, a `JSONEncoder?`; by default `nil`, which is that of the ``Teapot/Teapot``.
    var encoder: BodyEncoder { get }

    /// Decodes the response and the body of an error, a `JSONDecoder?`; by default `nil`, which is that of the ``Teapot/Teapot``.
    var decoder: ResponseDecoder { get }

    /// Sets what has no property here, such as a timeout; does nothing by default.
    ///
    /// - Parameter request: The request, made of the properties.
    /// - Throws: Why it cannot be sent; the call fails with that.
    func adjust(_ request: inout Teapot.Request) throws(TeapotError)

    /// Makes the request. Use the default, which takes the properties and then calls ``adjust(_:)``.
    ///
    /// If the compiler says that this method is missing, a property has another type than the one that is stated here.
    ///
    /// - Returns: The request.
    /// - Throws: What ``adjust(_:)`` throws.
    func makeRequest() throws(TeapotError) -> Teapot.Request

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

extension Endpoint
where
    RequestBaseURL == URL?, RequestMethod == HTTPMethod, RequestQuery == [URLQueryItem],
    RequestHeaderFields == [String: String], BodyEncoder == JSONEncoder?, ResponseDecoder == JSONDecoder?
{
    /// That of the ``Teapot/Teapot``.
    public var baseURL: URL? { nil }
    /// `GET`.
    public var method: HTTPMethod { .get }
    /// None.
    public var query: [URLQueryItem] { [] }
    /// None.
    public var headerFields: [String: String] { [:] }
    /// That of the ``Teapot/Teapot``.
    public var encoder: JSONEncoder? { nil }
    /// That of the ``Teapot/Teapot``.
    public var decoder: JSONDecoder? { nil }
}

extension Endpoint where Body == Never? {
    /// None.
    public var body: Never? { nil }
}

extension Endpoint {
    /// Does nothing.
    public func adjust(_ request: inout Teapot.Request) throws(TeapotError) {}
}

extension Endpoint
where
    RequestBaseURL == URL?, RequestMethod == HTTPMethod, RequestQuery == [URLQueryItem],
    RequestHeaderFields == [String: String], Body: Encodable & Sendable, BodyEncoder == JSONEncoder?,
    ResponseDecoder == JSONDecoder?
{
    /// Makes the request of the properties, and calls ``adjust(_:)``.
    ///
    /// - Returns: The request.
    /// - Throws: What ``adjust(_:)`` throws.
    public func makeRequest() throws(TeapotError) -> Teapot.Request {
        var request = Teapot.Request(
            method,
            path: path,
            query: query,
            headerFields: headerFields,
            baseURL: baseURL
        )
        if Response.self is any Decodable.Type, Response.self != EmptyResponse.self {
            // What it parses may be something else after all.
            request.accept = "\(Teapot.Request.Body.json), */*;q=0.5"
        }
        let body = body
        if (body as? any OptionalBody)?.isNil != true {
            request.body = Teapot.Request.Body(encoding: body, using: encoder)
        }
        try adjust(&request)
        return request
    }
}

extension Endpoint where Response: Decodable {
    /// Decodes the body with ``decoder``; that of an ``EmptyResponse`` is not looked at.
    ///
    /// - Parameter response: A response with a status from 200 to 299.
    /// - Returns: The value.
    /// - Throws: `decodingFailed`.
    public func parse(_ response: Teapot.Response) throws -> Response {
        try response.value(as: Response.self, using: decoder as? JSONDecoder)
    }
}

/// A body that may be none.
private protocol OptionalBody {
    var isNil: Bool { get }
}

extension Optional: OptionalBody {
    fileprivate var isNil: Bool { if case .none = self { true } else { false } }
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
    /// - Parameter endpoint: The endpoint.
    /// - Throws: What ``Endpoint/adjust(_:)`` throws.
    public init(_ endpoint: some Endpoint) throws(TeapotError) {
        self = try endpoint.makeRequest()
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
        result(of: outcome) { response in try response.value(as: type, using: decoder as? JSONDecoder) }
    }

    private func result<Value>(
        of outcome: Result<Teapot.Response, TeapotError>,
        _ parse: (Teapot.Response) throws -> Value
    ) -> Result<Value, TeapotError> {
        let decoder = decoder as? JSONDecoder
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
        decoder.map { with(details.with(decoder: $0)) } ?? self
    }
}
