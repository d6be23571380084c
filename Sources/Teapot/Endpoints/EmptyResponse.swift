/// The default ``Endpoint/Response`` and ``Endpoint/Failure`` of an endpoint.
///
/// Wherever Teapot decodes it, it ignores the body, which can be missing or of any kind. It is encoded as the JSON object `{}`.
public struct EmptyResponse: Codable, Equatable, Sendable {
    /// Makes an empty response.
    public init() {}
}
