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
