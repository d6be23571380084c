import Teapot

/// Waits for a value from another thread.
///
/// The thread sanitizer does not see the order of a continuation that is resumed before it is awaited, but that of a lock.
package func withResume<Value: Sendable>(_ body: (_ resume: @escaping @Sendable (Value) -> Void) -> Void) async -> Value
{
    let order = Locked(0)
    let value = await withCheckedContinuation { continuation in
        body { value in
            order.withLock { $0 += 1 }
            continuation.resume(returning: value)
        }
    }
    order.withLock { _ in }
    return value
}
