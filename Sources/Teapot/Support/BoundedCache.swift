/// Keeps a limited number of values that take time to make.
///
/// When it is full it is emptied. That is good enough for few callers with few recurring keys.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private let values = Locked<[Key: Value]>([:])

    init(capacity: Int) { self.capacity = capacity }

    /// The value for a key. `make` is called outside the lock: two threads may both make a missing value.
    func value(for key: Key, make: () -> Value) -> Value {
        if let value = values.withLock({ $0[key] }) { return value }

        let value = make()
        values.withLock { values in
            if values.count >= capacity { values.removeAll() }
            values[key] = value
        }
        return value
    }
}
