package import Foundation

/// A delivery queue of one's own, for tests: the main queue is not theirs to wait on.
package struct MarkedQueue: Sendable {
    package let queue: DispatchQueue
    private static let key = DispatchSpecificKey<String>()
    private let name: String

    package init(_ name: String = "test") {
        self.name = name
        queue = DispatchQueue(label: name)
        queue.setSpecific(key: Self.key, value: name)
    }

    /// Whether the calling code runs on this queue.
    package var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == name }
}
