public import Foundation

/// A plugin that counts the requests that are under way, for an activity indicator.
///
/// ```swift
/// let counter = RequestCounter { count in indicator.isVisible = count > 0 }
/// teapot.plugins = [counter]
/// ```
///
/// One counter can serve several Teapots. It can be used from any thread.
public final class RequestCounter: Teapot.Plugin {
    private struct State {
        var count = 0
        /// The count that was reported last.
        var reported = 0
        /// The time at which the last request ended.
        var quietTime = DispatchTime.now()
    }

    private let state = Locked(State())
    /// Calls the handler once at a time and in order, whatever the queue of the caller is.
    private let queue: DispatchQueue
    private let pause: TimeInterval
    private let handler: @Sendable (Int) -> Void

    /// Makes a counter.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the handler is called.
    ///   - handler: Takes the count when it has changed, in order, one call at a time. Changes that come before the queue has
    ///     its turn are reported together. Zero is reported after 0.1 s, unless another request has started, such as a
    ///     redirect or another attempt.
    public convenience init(queue: DispatchQueue = .main, handler: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.init(queue: queue, pause: 0.1, handler: handler)
    }

    /// Makes a counter that waits for `pause` seconds before it reports zero.
    init(queue: DispatchQueue, pause: TimeInterval, handler: @escaping @Sendable (Int) -> Void) {
        self.queue = DispatchQueue(label: "Teapot.RequestCounter", target: queue)
        self.pause = pause
        self.handler = handler
    }

    /// The number of requests that are under way now.
    public var count: Int { state.withLock { $0.count } }

    /// Counts a request.
    public func willSend(_ request: Teapot.SentRequest) {
        state.withLock { $0.count += 1 }
        queue.async { self.report() }
    }

    /// Stops counting a request.
    public func didReceive(_ result: Result<Teapot.Response, TeapotError>, for request: Teapot.SentRequest) {
        let isQuiet = state.withLock { state in
            state.count -= 1
            state.quietTime = .now()
            return state.count == 0
        }
        queue.asyncAfter(deadline: .now() + (isQuiet ? pause : 0)) { self.report() }
    }

    private func report() {
        let news: Int? = state.withLock { state in
            guard state.count != state.reported else { return nil }
            guard state.count > 0 || state.quietTime + pause <= .now() else { return nil }
            state.reported = state.count
            return state.count
        }
        if let news { handler(news) }
    }
}
