import Foundation

/// A value that is read and written on a serial queue.
/// A ``Locked`` value is for state in memory, held for moments. This is for files and what waits for them: work that takes time
/// is put in line, and the thread that hands it over need not wait.
/// `@unchecked Sendable` is sound: `value` is touched on `queue` only.
final class Serial<Value>: @unchecked Sendable {
    private let queue: DispatchQueue
    private var value: Value

    init(_ value: sending Value, label: String) {
        self.value = value
        queue = DispatchQueue(label: label)
    }

    /// Waits for its turn.
    func sync<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        try queue.sync { Swift.Result { () throws(Failure) in try body(&value) } }.get()
    }

    /// Returns at once.
    func async(_ body: @escaping @Sendable (inout Value) -> Void) { queue.async { body(&self.value) } }
}
