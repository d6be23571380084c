import Foundation

/// A condition whose waits do not become longer when the clock of the system is set back.
/// On Linux, `NSCondition` and `DispatchSemaphore` wait by that clock.
/// `@unchecked Sendable` is sound: a mutex and a condition are there to be used by several threads, and the pointers do not change.
final class Condition: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        #if !canImport(Darwin)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        #endif
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func withLock<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Waits for ``broadcast()``, but not beyond a time, or for no reason. It releases the lock, which the caller has, meanwhile.
    func wait(until end: DispatchTime) {
        #if canImport(Darwin)
            let now = DispatchTime.now()
            guard end > now else { return }
            var rest = timespec(nanoseconds: end.uptimeNanoseconds - now.uptimeNanoseconds)
            _ = pthread_cond_timedwait_relative_np(condition, mutex, &rest)
        #else
            // The clock of Dispatch.
            var end = timespec(nanoseconds: end.uptimeNanoseconds)
            pthread_cond_timedwait(condition, mutex, &end)
        #endif
    }

    /// Takes the lock, and waits for a value, but not beyond a time: `nil` if there was none in time.
    func wait<Value>(until end: DispatchTime, for value: () -> Value?) -> Value? {
        withLock {
            while true {
                if let value = value() { return value }
                guard end > .now() else { return nil }
                wait(until: end)
            }
        }
    }

    func broadcast() { pthread_cond_broadcast(condition) }
}

extension timespec {
    fileprivate init(nanoseconds: UInt64) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(tv_sec: Int(min(seconds, 1 << 40)), tv_nsec: Int(rest))
    }
}
