import Foundation

/// Does something that blocks, on a thread of its own.
package func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withResume { resume in
        Thread.detachNewThread { resume(body()) }
    }
}
