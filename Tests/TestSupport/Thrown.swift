package import Teapot

/// The error that an async call threw; `nil` if it did not throw.
package func thrown<Value>(by call: () async throws(TeapotError) -> Value) async -> TeapotError? {
    do {
        _ = try await call()
        return nil
    } catch {
        return error
    }
}

extension Result where Failure == TeapotError {
    /// The outcome of an async call.
    package init(of call: () async throws(TeapotError) -> Success) async {
        do {
            self = .success(try await call())
        } catch {
            self = .failure(error)
        }
    }

    /// The error, if it is one.
    package var error: TeapotError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
