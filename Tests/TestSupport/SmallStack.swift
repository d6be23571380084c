import Foundation

/// Runs `body` on a thread with the 512 KB of stack that a dispatch queue's thread may have, where a recursion over hostile
/// data ends a process first.
package func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withResume { resume in
        let thread = Thread { resume(body()) }
        thread.stackSize = 512 * 1_024
        thread.start()
    }
}
