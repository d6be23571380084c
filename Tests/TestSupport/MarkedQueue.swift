package import Foundation

/// A queue that code can tell it runs on.
package struct MarkedQueue: Sendable {
    package let queue: DispatchQueue
    private static let key = DispatchSpecificKey<String>()
    private let name: String

    package init(_ name: String = "test", queue: DispatchQueue? = nil) {
        self.name = name
        self.queue = queue ?? DispatchQueue(label: name)
        self.queue.setSpecific(key: Self.key, value: name)
    }

    /// Whether the calling code runs on this queue.
    package var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == name }
}

extension DispatchQueue {
    /// Waits until everything that was queued on this serial queue before has run.
    package func drain() async {
        await withCheckedContinuation { continuation in async { continuation.resume() } }
    }
}
