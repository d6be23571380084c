import Dispatch

extension DispatchQueue {
    /// Runs a closure on another thread soon, also while every thread of the global queues is blocked.
    /// Dispatch starts another thread for a serial queue without a target, but neither for a concurrent nor for a global one.
    static func runApart(_ work: @escaping @Sendable () -> Void) { DispatchQueue(label: "Teapot").async(execute: work) }
}
