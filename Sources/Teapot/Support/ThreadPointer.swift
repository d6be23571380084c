import Foundation

/// A pointer that each thread has for itself, while it runs a closure.
struct ThreadPointer: Sendable {
    /// `nil` if the process has used up its keys, about a thousand: no thread has a pointer then.
    private let key: pthread_key_t?

    init() {
        var key = pthread_key_t()
        self.key = pthread_key_create(&key, nil) == 0 ? key : nil
    }

    /// The pointer of the current thread.
    var current: UnsafeMutableRawPointer? { key.flatMap(pthread_getspecific) }

    /// Runs a closure on the current thread, which has the pointer meanwhile, unless it has one already.
    func set(_ pointer: UnsafeRawPointer?, during body: () -> Void) {
        guard let key, current == nil else { return body() }
        pthread_setspecific(key, pointer)
        body()
        pthread_setspecific(key, nil)
    }
}
