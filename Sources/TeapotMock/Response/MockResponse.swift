public import Teapot

/// A response of a ``MockTeapot``, to declare endpoints with.
///
/// As with a server, a `HEAD` request and the statuses 204 and 304 get no body, even if one is declared.
public struct MockResponse: Sendable {
    /// The source of the body.
    enum Content: Sendable {
        case none
        case file(String)
        case data(Data, mediaType: String?)
        /// With the response's own header fields only.
        case recorded(Data)
        /// The recorded response cannot be given.
        case unusable(TeapotError)
    }

    let content: Content
    let status: MockTeapot.StatusCode
    /// Header fields that are added to `Content-Type` and `Content-Length` of the body, or replace them.
    let headerFields: [String: String]
    /// The `Set-Cookie` fields, if they are known separately.
    private(set) var cookies: [String] = []
    /// The error that ends the exchange, in place of a response or within its body.
    private(set) var error: URLError?
    private(set) var isWithoutResponse = false
    var isRecorded: Bool { if case .recorded = content { true } else { false } }
    private(set) var delay = Duration.zero
    /// The pieces of the body and the time between them; empty if it comes at once.
    var pieces: [Data] = []
    var interval = Duration.zero
    /// Whether the body has no end.
    var isEndless = false

    private init(_ content: Content, _ status: MockTeapot.StatusCode, _ headerFields: [String: String]) {
        self.content = content
        self.status = status
        self.headerFields = headerFields
    }

    /// Makes a response from a file of the mock's bundle. It is read when a request is answered; if that fails, the call fails
    /// with `missingMockFile` or `invalidMockFile`. A status of 300 or more needs no file: without a valid one, the response
    /// has no body. The name is that of a JSON file without `.json`, or of an image file with its extension.
    public static func file(_ name: String, status: MockTeapot.StatusCode = .ok, headerFields: [String: String] = [:])
        -> MockResponse
    {
        MockResponse(.file(name), status, headerFields)
    }

    /// Makes a JSON response from a dictionary, an array of dictionaries or the bytes themselves. Throws `invalidPayload` if JSON cannot
    /// represent the values.
    public static func json(
        _ json: RequestParameter,
        status: MockTeapot.StatusCode = .ok,
        headerFields: [String: String] = [:]
    ) throws(TeapotError) -> MockResponse {
        .data(try json.encoded(), contentType: "application/json", status: status, headerFields: headerFields)
    }

    /// Makes a JSON response from a dictionary. Throws `invalidPayload` if JSON cannot represent a value.
    public static func json(
        _ dictionary: [String: Any],
        status: MockTeapot.StatusCode = .ok,
        headerFields: [String: String] = [:]
    ) throws(TeapotError) -> MockResponse {
        try .json(.dictionary(dictionary), status: status, headerFields: headerFields)
    }

    /// Makes a JSON response from an array of dictionaries. Otherwise the same as with a dictionary.
    public static func json(
        _ array: [[String: Any]],
        status: MockTeapot.StatusCode = .ok,
        headerFields: [String: String] = [:]
    ) throws(TeapotError) -> MockResponse {
        try .json(.array(array), status: status, headerFields: headerFields)
    }

    /// Makes a JSON response by encoding a value. Without an encoder, keys are sorted and slashes are not escaped. Throws `invalidPayload`
    /// if the value cannot be encoded.
    public static func encoding(
        _ value: some Encodable & Sendable,
        using encoder: JSONEncoder? = nil,
        status: MockTeapot.StatusCode = .ok,
        headerFields: [String: String] = [:]
    ) throws(TeapotError) -> MockResponse {
        let body = try Teapot.Request.Body.json(value).encoded(using: encoder)
        let data = body.data ?? Data()
        return .data(data, contentType: body.contentType, status: status, headerFields: headerFields)
    }

    /// Makes a response from bytes of any kind, with their media type (RFC 9110, section 8.3).
    public static func data(
        _ data: Data,
        contentType: String,
        status: MockTeapot.StatusCode = .ok,
        headerFields: [String: String] = [:]
    ) -> MockResponse {
        MockResponse(.data(data, mediaType: contentType), status, headerFields)
    }

    /// Makes a response with the bytes of an image file, in one of the formats of the image verbs. The media type is read from the bytes.
    /// Throws ``MockTeapotError/invalidOverride(_:)`` if they are not such an image.
    public static func image(_ data: Data, status: MockTeapot.StatusCode = .ok, headerFields: [String: String] = [:])
        throws(MockTeapotError) -> MockResponse
    {
        guard let format = Teapot.ImageFormat(signatureOf: data) else {
            throw .invalidOverride("the \(data.count) bytes are not an image of a known format")
        }
        return .data(data, contentType: format.mediaType, status: status, headerFields: headerFields)
    }

    /// Makes a response without a body, with header fields such as `Location` or `Retry-After`.
    public static func status(_ status: MockTeapot.StatusCode, headerFields: [String: String] = [:]) -> MockResponse {
        MockResponse(.none, status, headerFields)
    }

    /// Makes a failure of the transport, as without a connection. The call fails with `noResponse` and this cause.
    public static func failure(_ error: URLError) -> MockResponse {
        var response = MockResponse(.none, .ok, [:])
        response.error = error
        response.isWithoutResponse = true
        return response
    }

    /// Makes a failure of the transport with the error of a code.
    public static func failure(_ code: URLError.Code) -> MockResponse { .failure(URLError(code)) }

    /// Makes a response from a recording; the error ends the exchange within the body.
    static func recorded(_ body: Data, status: Int, fields: [String: String], cookies: [String], error: URLError?)
        -> MockResponse
    {
        var response = MockResponse(.recorded(body), MockTeapot.StatusCode(rawValue: status), fields)
        response.cookies = cookies
        response.error = error
        return response
    }

    /// Makes a failure of the call, whose recorded response cannot be given.
    static func unusable(_ error: TeapotError) -> MockResponse { MockResponse(.unusable(error), .ok, [:]) }

    /// The same response, cut off after its body: the call fails with `dataTaskError` and this cause.
    public func breakingOff(with code: URLError.Code = .networkConnectionLost) -> MockResponse {
        var response = self
        response.error = URLError(code)
        return response
    }

    /// The same response after a delay on the mock's clock: zero if it is negative, thirty years at most. If the delay exceeds the timeout
    /// of the call, the call times out. Completions of closure calls that do not name a delivery queue are then called on the main queue.
    public func delayed(by delay: Duration) -> MockResponse {
        var response = self
        response.delay = delay.bounded
        return response
    }
}
