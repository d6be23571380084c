extension Teapot {
    /// Values that are read one after the other: pieces or lines of a body, events, or pages.
    ///
    /// To stop early, leave the loop or cancel the task.
    public struct Elements<Element: Sendable>: AsyncSequence, Sendable {
        let reader: any ElementReader<Element>

        /// Iterates over the values.
        public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

        /// Iterates over the values.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var reader: any ElementReader<Element>

            /// The next value; `nil` at the end.
            ///
            /// - Returns: The value.
            /// - Throws: The error that ended the sequence; `cancelled` if the task was cancelled.
            public mutating func next() async throws(TeapotError) -> Element? {
                if let element = reader.ready() { return element }
                return try await reader.next(isolation: nil)
            }

            /// The next value, without leaving the actor if it has already arrived; `nil` at the end.
            ///
            /// - Parameter actor: The actor of the caller.
            /// - Returns: The value.
            /// - Throws: The same as ``next()``.
            @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(TeapotError) -> Element? {
                if let element = reader.ready() { return element }
                return try await reader.next(isolation: actor)
            }
        }
    }
}

/// Reads the values of one iterator. A copy of a reader that has read nothing reads from the beginning.
protocol ElementReader<Element>: Sendable {
    associatedtype Element

    /// The next value, if it has arrived: asked first, as a call that is `async` takes several times as long as a short line.
    mutating func ready() -> Element?

    mutating func next(isolation: isolated (any Actor)?) async throws(TeapotError) -> Element?
}

extension ElementReader {
    func ready() -> Element? { nil }
}
