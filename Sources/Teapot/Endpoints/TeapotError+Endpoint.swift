internal import Foundation

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
