import Teapot
import TestSupport
import Testing

/// The ways to send an endpoint. All have the same outcome.
enum EndpointShape: String, CaseIterable, CustomTestStringConvertible {
    case async, injected, closure, blocking

    var testDescription: String { rawValue }

    func send<E: Endpoint>(_ endpoint: E, by teapot: Teapot) async -> Result<E.Response, TeapotError> {
        do throws(TeapotError) {
            switch self {
            case .async: return .success(try await teapot.send(endpoint))
            case .injected:
                let api: any RequestPerforming = teapot
                return .success(try await api.send(endpoint))
            case .closure:
                return await withCheckedContinuation { continuation in
                    teapot.send(endpoint) { continuation.resume(returning: $0) }
                }
            case .blocking:
                return await withCheckedContinuation { continuation in
                    DispatchQueue(label: "blocking").async {
                        continuation.resume(
                            returning: Result { () throws(TeapotError) in try teapot.sendAndWait(endpoint) }
                        )
                    }
                }
            }
        } catch {
            return .failure(error)
        }
    }

    func send<Value: Decodable & Sendable>(
        _ endpoint: some Endpoint,
        as type: Value.Type,
        by teapot: Teapot
    ) async -> Result<Value, TeapotError> {
        do throws(TeapotError) {
            switch self {
            case .async: return .success(try await teapot.send(endpoint, as: type))
            case .injected:
                let api: any RequestPerforming = teapot
                return .success(try await api.send(endpoint, as: type))
            case .closure:
                return await withCheckedContinuation { continuation in
                    teapot.send(endpoint, as: type) { continuation.resume(returning: $0) }
                }
            case .blocking:
                return await withCheckedContinuation { continuation in
                    DispatchQueue(label: "blocking").async {
                        continuation.resume(
                            returning: Result { () throws(TeapotError) in
                                try teapot.sendAndWait(endpoint, as: type)
                            }
                        )
                    }
                }
            }
        } catch {
            return .failure(error)
        }
    }
}

extension Result {
    /// The error; `nil` for a success.
    var error: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
