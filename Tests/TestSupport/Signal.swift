/// Something that happens once, and that any number of tasks can wait for.
package final class Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    package func fire() { continuation.finish() }

    /// Suspends until it has happened.
    package func wait() async { for await _ in stream {} }
}
