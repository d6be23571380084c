public import Teapot

/// A request that a ``MockTeapot`` got.
public struct RecordedRequest: Sendable {
    /// The method.
    public let method: HTTPMethod
    /// The whole URL, with its query.
    public let url: URL
    /// The header fields, cookies included, looked up without regard to case.
    public let headerFields: HeaderFields
    /// The body, that of a file as well; empty if there was none.
    public let body: Data
    /// When it came, from the moment the mock was made, by the mock's clock.
    public let time: Duration
    /// What the parameters of the path pattern stand for that matched, such as `id` of `users/:id`.
    public internal(set) var pathParameters: [String: String] = [:]

    /// What it was made of, if it was made of an endpoint.
    let endpoint: (any Endpoint)?
    /// Those that are in use for it.
    let credentials: [Credential]
    /// The components of the URL's path, decoded.
    let pathComponents: [String]
    /// What entries of a recording are compared with.
    let received = ReceivedRequest()

    init(_ request: URLRequest, url: URL, bodyFile: URL?, details: ExchangeDetails = ExchangeDetails(), time: Duration)
        throws
    {
        method = request.httpMethod.flatMap(HTTPMethod.init) ?? .get
        self.url = url
        headerFields = HeaderFields(request)
        body = try bodyFile.map { try Data(contentsOf: $0) } ?? request.httpBody ?? Data()
        self.time = time
        endpoint = details.endpoint
        credentials = details.credentials
        pathComponents = PathPattern.components(of: url.path(percentEncoded: true))
    }

    /// The body as JSON; `nil` when it is not a JSON object or an array of objects.
    public var json: JSON? { try? JSON(data: body) }

    /// The items of the URL's query, decoded.
    public var queryItems: [URLQueryItem] {
        guard url.query() != nil else { return [] }
        return URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    }

    /// Decodes the body as JSON.
    ///
    /// - Parameters:
    ///   - type: What the body is.
    ///   - decoder: Decodes it.
    /// - Returns: The value.
    /// - Throws: What the decoder throws when it is something else.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: body)
    }
}

extension RecordedRequest: CustomStringConvertible {
    /// Method and URL, secrets of `SecretPolicy.standard` redacted.
    public var description: String { title(.standard) }

    func title(_ secrets: SecretPolicy) -> String {
        "\(method) \(secrets.redacted(url))"
    }
}

/// The requests that a mock got, or the latest of them.
struct RequestLog {
    private var requests: [RecordedRequest] = []

    /// How many are kept; all of them if `nil`.
    var limit: Int? {
        didSet { trim() }
    }

    /// In the order they came.
    var all: [RecordedRequest] { limit.map { Array(requests.suffix($0)) } ?? requests }

    mutating func append(_ request: RecordedRequest) {
        requests.append(request)
        // Not each time, since the others are moved.
        if let limit, requests.count / 2 >= limit { trim() }
    }

    private mutating func trim() {
        if let limit { requests.removeFirst(max(requests.count - limit, 0)) }
    }
}
