public import Teapot

/// A request that a ``MockTeapot`` received.
public struct RecordedRequest: Sendable {
    /// The method.
    public var method: Teapot.HTTPMethod { content.method }
    /// The complete URL, with its query.
    public var url: URL { content.url }
    /// The header fields, cookies included, looked up without regard to case.
    public var headerFields: Teapot.HeaderFields { content.headerFields }
    /// The body, including that of a file; empty if there was none.
    public var body: Data { content.body }
    /// The time of arrival since the mock was made, on the mock's clock.
    public var time: Duration { content.time }
    /// The values of the parameters in the matching path pattern, such as `id` of `users/:id`.
    public internal(set) var pathParameters: [String: String] = [:]

    /// The endpoint that the request was made from, if any.
    var endpoint: Indirect<any Endpoint>? { content.endpoint }

    /// All parts are behind one reference, since a request is copied some times on its way into the log.
    private let content: Content

    private final class Content: Sendable {
        let method: Teapot.HTTPMethod
        let url: URL
        let headerFields: Teapot.HeaderFields
        let body: Data
        let time: Duration
        let endpoint: Indirect<any Endpoint>?

        init(_ sent: borrowing TransportRequest, url: URL, time: Duration) throws {
            let request = sent.urlRequest
            method = request.httpMethod.flatMap(Teapot.HTTPMethod.init) ?? .get
            self.url = url
            headerFields = Teapot.HeaderFields(request, sent.allSecrets)
            body = try sent.bodyFile.map { try Data(contentsOf: $0) } ?? request.httpBody ?? Data()
            self.time = time
            endpoint = sent.endpoint
        }
    }

    init(_ sent: borrowing TransportRequest, url: URL, time: Duration) throws {
        content = try Content(sent, url: url, time: time)
    }

    /// The body as text; `nil` if it is not UTF-8.
    public var text: String? { String(data: body, encoding: .utf8) }

    /// The body as JSON; `nil` if it is not a JSON object or an array of objects.
    public var json: JSON? { try? JSON(data: body) }

    /// The items of the URL's query, decoded as by a server: a plus sign is a space.
    public var query: Teapot.QueryItems { Teapot.QueryItems(ofURL: url.absoluteString) }

    /// Decodes the body as JSON, with a new `JSONDecoder` if none is given. Throws `decodingFailed` if the body does not match the type.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, using decoder: JSONDecoder? = nil)
        throws(TeapotError) -> Value
    {
        try type.decoded(from: body, using: decoder)
    }
}

extension RecordedRequest: CustomStringConvertible {
    /// The method and URL, secrets of `SecretPolicy.standard` redacted.
    public var description: String { title(.standard) }

    func title(_ secrets: SecretPolicy) -> String { "\(method) \(secrets.redacted(url))" }
}
