/// What an ``Endpoint`` without a `Response` or a `Failure` of its own has for it: nothing.
///
/// The body that came is not looked at, so that there may be one, of any kind. Encoded, it is the JSON object `{}`.
public struct EmptyResponse: Codable, Hashable, Sendable {
    /// Makes it.
    public init() {}
}
