import Foundation

/// Outcomes that become ready one after the other on the thread of a transport, and are put into their queue together: the thread of
/// the queue wakes up once for several.
///
/// Only what ends quickly is held, by ``Call/handle(_:)``: nothing waits for the code of others.
package struct HeldOutcomes {
    /// The address of what the thread holds.
    private static let address = ThreadPointer()
    private static let maximumCount = 8

    private static var current: UnsafeMutablePointer<Self>? {
        address.current?.assumingMemoryBound(to: Self.self)
    }

    /// Whether the call that ends now may be held.
    private var isOpen = false
    private var calls: [Call] = []
    private var queue: DispatchQueue?

    /// Runs a closure in which several calls end, one after the other, on the current thread, and then delivers what is held.
    package static func collect(_ body: () -> Void) {
        guard current == nil else { return body() }
        var held = Self()
        withUnsafeMutablePointer(to: &held) { held in
            address.set(held) {
                body()
                deliver()
            }
        }
    }

    /// Runs the end of a call, in which no code of others runs. Its outcome may be held.
    static func hold(_ body: () -> Void) {
        guard let current else { return body() }
        current.pointee.isOpen = true
        body()
        current.pointee.isOpen = false
    }

    /// Puts what is held into its queue, before something that may take its time. What ends meanwhile is not held.
    static func deliver() {
        guard let current else { return }
        current.pointee.isOpen = false
        let held = current.pointee
        (current.pointee.calls, current.pointee.queue) = ([], nil)
        guard let queue = held.queue, let first = held.calls.first else { return }
        let others = held.calls.dropFirst()
        queue.async {
            // They do not wait for the first one where a queue runs several blocks at a time.
            for call in others { queue.async { call.deliver() } }
            first.deliver()
        }
    }

    /// Puts the outcome of a call into a queue: at once, or with others.
    static func deliver(_ call: Call, on queue: DispatchQueue) {
        guard let current, current.pointee.isOpen else { return queue.async { call.deliver() } }
        if current.pointee.queue !== queue || current.pointee.calls.count == maximumCount { deliver() }
        current.pointee.queue = queue
        current.pointee.calls.append(call)
    }
}
