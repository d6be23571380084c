internal import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// A transport that can tell requests apart by the endpoint they were made of: the mock's.
package protocol EndpointTransport: Transport {
    /// Starts one exchange, as ``Transport/start(_:bodyFile:receive:)`` does.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - endpoint: What it was made of.
    ///   - bodyFile: The file that is the request's body.
    ///   - receive: Takes the events.
    /// - Returns: The exchange, to cancel it.
    func start(
        _ request: URLRequest,
        endpoint: any Endpoint,
        bodyFile: URL?,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask
}

extension Transport {
    /// Starts one exchange; the endpoint, if there is one, is for those who can tell it.
    func start(
        _ request: URLRequest,
        endpoint: (any Endpoint)?,
        bodyFile: URL?,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        guard let endpoint, let transport = self as? any EndpointTransport else {
            return start(request, bodyFile: bodyFile, receive: receive)
        }
        return transport.start(request, endpoint: endpoint, bodyFile: bodyFile, receive: receive)
    }
}
