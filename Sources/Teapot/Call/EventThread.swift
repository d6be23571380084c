import Foundation

/// Marks the threads of transports while closure calls go on there: a call that blocked one of them would wait for itself.
enum EventThread {
    /// `nil` if the process has used up its keys, about a thousand: no thread is marked then.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    static var isCurrent: Bool { key.flatMap(pthread_getspecific) != nil }

    /// Runs the closure on the current thread, which is marked meanwhile.
    static func run(_ body: () -> Void) {
        guard let key, !isCurrent else { return body() }
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
        body()
        pthread_setspecific(key, nil)
    }
}
