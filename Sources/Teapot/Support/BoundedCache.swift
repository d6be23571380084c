/// Keeps values that take time to make, at most so many of them.
///
/// When it is full it starts again from nothing. A cache that is filled by few callers with few keys, over and over, needs
/// no better rule.
package final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private let values = Locked<[Key: Value]>([:])

    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// The value for a key.
    ///
    /// - Parameters:
    ///   - key: What the value is kept for.
    ///   - make: Makes the value when it is not there. It is called outside the lock: two threads may both make it.
    /// - Returns: The value that was kept, or the new one.
    package func value(for key: Key, make: () -> Value) -> Value {
        if let value = values.withLock({ $0[key] }) { return value }

        let value = make()
        values.withLock { values in
            if values.count >= capacity { values.removeAll() }
            values[key] = value
        }
        return value
    }
}
