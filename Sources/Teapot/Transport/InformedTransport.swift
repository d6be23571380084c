internal import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// A transport that makes use of what Teapot knows of an exchange besides the request.
package protocol InformedTransport: Transport {
    /// Starts one exchange, as ``Transport/start(_:bodyFile:receive:)`` does.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - details: What else is known of the exchange.
    ///   - receive: Takes the events.
    /// - Returns: The exchange, to cancel it.
    func start(
        _ request: URLRequest,
        _ details: ExchangeDetails,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask
}

/// What is known of an exchange besides its request.
package struct ExchangeDetails: Sendable {
    /// What the request was made of.
    package var endpoint: (any Endpoint)?
    /// The file that is the request's body.
    package var bodyFile: BodyFile?
    /// Whether the request may be sent twice.
    package var isIdempotent = false
    /// The credentials that are in use for the request: secrets wherever they stand.
    package var credentials: [Credential] = []

    package init(
        endpoint: (any Endpoint)? = nil,
        bodyFile: BodyFile? = nil,
        isIdempotent: Bool = false,
        credentials: [Credential] = []
    ) {
        self.endpoint = endpoint
        self.bodyFile = bodyFile
        self.isIdempotent = isIdempotent
        self.credentials = credentials
    }
}

extension Transport {
    /// Starts one exchange; the details are for those who can use them.
    package func start(
        _ request: URLRequest,
        _ details: ExchangeDetails,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        guard let transport = self as? any InformedTransport else {
            return start(request, bodyFile: details.bodyFile?.url, receive: receive)
        }
        return transport.start(request, details, receive: receive)
    }
}
