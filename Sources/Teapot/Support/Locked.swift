import Foundation

/// A value that only one thread at a time can access.
/// Name the property for the state that it guards. Keep the work inside `withLock` short, and never call code that is not
/// Teapot's own there: the lock is not recursive.
/// `@unchecked` is sound: the value is read and written only while the mutex is held, it comes in as `sending` (nobody else
/// keeps a reference to it), and the result of `withLock` is `sending` too, so that no reference to the guarded state escapes.
package struct Locked<Value>: @unchecked Sendable {
    /// The mutex and the value at addresses of their own, in one allocation: an `NSLock` takes four. A `Mutex` of the standard library takes
    /// none, but the thread sanitizer does not know it on Linux, and reports races that are none.
    private final class Storage: ManagedBuffer<pthread_mutex_t, Value> {
        deinit {
            _ = withUnsafeMutablePointers { mutex, value in
                value.deinitialize(count: 1)
                return pthread_mutex_destroy(mutex)
            }
        }
    }

    /// The value of the thread that holds the mutex. Swift 6.2 does not let a pointer's `pointee` be sent.
    private struct Guarded: @unchecked Sendable {
        let pointer: UnsafeMutablePointer<Value>

        var value: Value {
            get { pointer.pointee }
            nonmutating _modify { yield &pointer.pointee }
        }
    }

    private let storage: ManagedBuffer<pthread_mutex_t, Value>

    package init(_ value: consuming sending Value) {
        storage = Storage.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        let (mutex, place) = storage.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_init(mutex, nil)
        place.initialize(to: value)
    }

    /// Runs `body` with the value while no other thread can reach it, on the calling thread.
    /// - Throws: What `body` throws; the lock is released then, too.
    package func withLock<Result, Failure: Error>(_ body: (inout sending Value) throws(Failure) -> sending Result)
        throws(Failure) -> sending Result
    {
        let (mutex, value) = storage.withUnsafeMutablePointers { ($0, $1) }
        let guarded = Guarded(pointer: value)
        pthread_mutex_lock(mutex)
        defer {
            pthread_mutex_unlock(mutex)
            // The pointers are valid as long as the storage, which the caller may not use again. `withExtendedLifetime` would look up
            // the type of the storage at each call from another module, where this is not specialized.
            _fixLifetime(storage)
        }
        return try body(&guarded.value)
    }
}
