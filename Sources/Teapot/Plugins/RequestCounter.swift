public import Foundation

/// A plugin that counts the requests that are under way, for an activity indicator.
///
/// ```swift
/// let counter = RequestCounter { count in indicator.isVisible = count > 0 }
/// teapot.plugins = [counter]
/// ```
///
/// One counter may serve several Teapots. It may be used from any thread.
public final class RequestCounter: Teapot.Plugin {
    private struct State {
        var count = 0
        /// What the handler is to know.
        var news = 0
        /// What it knows.
        var told = 0
        /// Whether it is being told, or about to be: it is told one thing at a time, whatever its queue.
        var isTelling = false
        /// When the last request ended.
        var quietTime = DispatchTime.now()
        var isWaitingForQuiet = false
    }

    private let state = Locked(State())
    private let queue: DispatchQueue
    private let pause: TimeInterval
    private let handler: @Sendable (Int) -> Void

    /// Makes a counter.
    ///
    /// - Parameters:
    ///   - queue: Where the handler is called.
    ///   - handler: Takes the count after it has changed, in order, one call at a time; the first is not 0. What changes before
    ///     a call comes to its turn is not told one by one. That nothing is under way any more is told a tenth of a second
    ///     later, unless something is by then: a redirect or another attempt may follow.
    public convenience init(queue: DispatchQueue = .main, handler: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.init(queue: queue, pause: 0.1, handler: handler)
    }

    /// Makes a counter that waits for `pause` seconds before it tells that nothing is under way any more.
    package init(queue: DispatchQueue, pause: TimeInterval, handler: @escaping @Sendable (Int) -> Void) {
        self.queue = queue
        self.pause = pause
        self.handler = handler
    }

    /// How many requests are under way now.
    public var count: Int { state.withLock { $0.count } }

    /// Counts a request.
    public func willSend(_ request: Teapot.SentRequest) {
        state.withLock { state in
            state.count += 1
            state.news = state.count
        }
        tellNews()
    }

    /// Counts it no longer.
    public func didReceive(_ result: Result<Teapot.Response, TeapotError>, for request: Teapot.SentRequest) {
        let isQuiet = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else {
                state.news = state.count
                return false
            }
            state.quietTime = .now()
            defer { state.isWaitingForQuiet = true }
            return !state.isWaitingForQuiet
        }
        isQuiet ? waitForQuiet() : tellNews()
    }

    // MARK: - The handler

    private func waitForQuiet() {
        queue.asyncAfter(deadline: state.withLock { $0.quietTime } + pause) { [self] in
            let isOver = state.withLock { state in
                guard state.count > 0 || state.quietTime + pause <= .now() else { return false }
                state.isWaitingForQuiet = false
                if state.count == 0 { state.news = 0 }
                return true
            }
            isOver ? tellNews() : waitForQuiet()
        }
    }

    private func tellNews() {
        let mustTell = state.withLock { state in
            guard !state.isTelling, state.news != state.told else { return false }
            state.isTelling = true
            return true
        }
        guard mustTell else { return }
        queue.async { [self] in
            let news: Int? = state.withLock { state in
                guard state.news != state.told else { return nil }
                state.told = state.news
                return state.news
            }
            if let news { handler(news) }
            state.withLock { $0.isTelling = false }
            tellNews()
        }
    }
}
