import Foundation

/// Where completions leave what they were called with.
///
/// `@unchecked` is sound: `received` is read and written only while `condition` is locked.
final class Mailbox<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var received: [Value] = []

    /// Everything that was put in so far, in order.
    var contents: [Value] {
        condition.withLock { received }
    }

    func put(_ value: Value) {
        condition.withLock {
            received.append(value)
            condition.broadcast()
        }
    }

    /// Waits for the first value.
    ///
    /// - Throws: `Mismatch` when there is none after so many seconds.
    func first(within seconds: TimeInterval) throws -> Value {
        let deadline = Date(timeIntervalSinceNow: seconds)
        return try condition.withLock {
            while received.isEmpty, condition.wait(until: deadline) {}
            guard let value = received.first else {
                throw Mismatch(expected: "an answer within \(Int(seconds)) s", found: "none")
            }
            return value
        }
    }
}
