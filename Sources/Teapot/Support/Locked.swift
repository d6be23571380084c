internal import Foundation

/// A value that only one thread at a time can access.
///
/// Name the property for the state that it guards. Keep the work inside `withLock` short, and never call code that is not
/// Teapot's own there: the lock is not recursive.
///
/// `@unchecked` is sound: `value` is private, it is read and written only while `lock` is held, it comes in as `sending`
/// (nobody else keeps a reference to it), and the result of `withLock` is `sending` too, so that no reference to the guarded
/// state escapes.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    /// Makes a lock around a value.
    package init(_ value: sending Value) {
        self.value = value
    }

    /// Runs `body` with the value while no other thread can reach it, on the calling thread.
    ///
    /// - Parameter body: Reads or changes the value.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; the lock is released then, too.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
