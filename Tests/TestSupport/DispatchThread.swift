internal import Dispatch

/// Runs `body` on a thread of a dispatch queue, whose stack is small: 512 KB on Linux.
package func onDispatchThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
}
