/// The default ``Endpoint/Response`` and ``Endpoint/Failure`` of an endpoint.
///
/// Wherever Teapot decodes it, it ignores the body, which can be missing or of any kind.
public struct EmptyResponse: Decodable, Sendable {
    /// Makes an empty response.
    public init() {}
}
