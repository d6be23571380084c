import TeapotFoundation

/// The threads on which transports report events.
///
/// They are marked, as a call that blocks one of them would wait for itself. Outcomes for a queue that become ready in one run on
/// such a thread are put into the queue at its end, with one block for several: the queue's thread wakes up once.
package enum EventThread {
    /// Its value, for a marked thread, is the address of its ``Held``. `nil` if the process has used up its keys, about a thousand.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    static var isCurrent: Bool { held != nil }

    private static var held: UnsafeMutablePointer<Held>? {
        key.flatMap(pthread_getspecific)?.assumingMemoryBound(to: Held.self)
    }

    /// Runs the closure on the current thread, which is marked meanwhile.
    package static func run(_ body: () -> Void) {
        guard let key, !isCurrent else { return body() }
        var held = Held()
        withUnsafeMutablePointer(to: &held) { held in
            pthread_setspecific(key, held)
            body()
            pthread_setspecific(key, nil)
        }
        held.deliver()
    }

    /// Has the outcome of a call delivered on a queue, soon.
    static func deliver(_ call: Call, on queue: DispatchQueue) {
        guard let held else { return queue.async { call.deliver() } }
        held.pointee.add(call, for: queue)
    }

    /// Delivers what is held, before something that may take its time.
    static func deliverHeld() { held?.pointee.deliver() }

    /// Calls whose outcomes are ready, for one queue.
    private struct Held {
        private static let maximumCount = 16

        /// Most runs have no others, and need no array.
        private var first: Call?
        private var others: [Call] = []
        private var queue: DispatchQueue?

        mutating func add(_ call: Call, for queue: DispatchQueue) {
            if queue !== self.queue || others.count == Self.maximumCount - 1 { deliver() }
            self.queue = queue
            if first == nil { first = call } else { others.append(call) }
        }

        mutating func deliver() {
            guard let queue, let first = first.take() else { return }
            guard !others.isEmpty else { return queue.async { first.deliver() } }
            let others = others
            self.others = []
            queue.async {
                // They do not wait for the first one where a queue runs several blocks at a time.
                for call in others { queue.async { call.deliver() } }
                first.deliver()
            }
        }
    }
}
