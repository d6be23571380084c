public import Foundation

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
