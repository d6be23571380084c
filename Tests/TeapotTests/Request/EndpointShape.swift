import Teapot
import TestSupport
import Testing

/// The ways to send an endpoint. All have the same outcome.
enum EndpointShape: CaseIterable {
    case async, closure, blocking

    func send<E: Endpoint>(_ endpoint: E, by teapot: Teapot) async -> Result<E.Response, TeapotError> {
        await outcome(
            { () throws(TeapotError) in try await teapot.send(endpoint) },
            closure: { teapot.send(endpoint, completion: $0) },
            blocking: { () throws(TeapotError) in try teapot.sendAndWait(endpoint) }
        )
    }

    private func outcome<Value: Sendable>(
        _ async: () async throws(TeapotError) -> Value,
        closure: (@escaping @Sendable (Result<Value, TeapotError>) -> Void) -> URLSessionTask?,
        blocking: @escaping @Sendable () throws(TeapotError) -> Value
    ) async -> Result<Value, TeapotError> {
        switch self {
        case .async: return await Result(of: async)
        case .closure:
            return await withCheckedContinuation { continuation in
                _ = closure { continuation.resume(returning: $0) }
            }
        case .blocking: return await onThread { Result { () throws(TeapotError) in try blocking() } }
        }
    }
}
