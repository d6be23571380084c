import Foundation

/// A locked value whose changes a thread can wait for.
///
/// `@unchecked Sendable` is sound as `value` is touched only while the condition's lock is held.
final class Monitor<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body(&value)
    }

    /// Changes the value and wakes every thread in `wait`.
    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        let result = body(&value)
        condition.broadcast()
        return result
    }

    /// Blocks the calling thread until `isReady` says so, or the deadline passed.
    ///
    /// - Parameters:
    ///   - deadline: When to give up; never without one. `Date.distantFuture` would trap in Foundation on Linux.
    ///   - isReady: Runs with the lock held, so it may also take what it waited for.
    /// - Returns: Whether `isReady` said so.
    @discardableResult
    func wait(until deadline: Date? = nil, for isReady: (inout Value) -> Bool) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while !isReady(&value) {
            if let deadline {
                guard condition.wait(until: deadline) else { return isReady(&value) }
            } else {
                condition.wait()
            }
        }
        return true
    }
}
