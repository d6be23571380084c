/// Marks the threads on which a transport reports an event: a call that blocks one of them would wait for itself.
enum EventThread {
    private static let mark = ThreadPointer()

    static var isCurrent: Bool { mark.current != nil }

    /// Runs the closure on the current thread, which is marked meanwhile.
    static func run(_ body: () -> Void) { mark.set(UnsafeRawPointer(bitPattern: 1), during: body) }
}
