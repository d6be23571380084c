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
            private var reader: any ElementReader<Element>
            /// The values that have arrived together with the last one. They are returned by code that is part of the caller: an
            /// `async` call of generic code in this module takes several times as long as a short line.
            @usableFromInline var arrived = [Element]().makeIterator()

            fileprivate init(reader: any ElementReader<Element>) { self.reader = reader }

            /// The next value; `nil` at the end.
            ///
            /// - Returns: The value.
            /// - Throws: The error that ended the sequence; `cancelled` if the task was cancelled.
            @inlinable public mutating func next() async throws(TeapotError) -> Element? {
                if let element = arrived.next() { return element }
                return try await read(isolation: nil)
            }

            /// The next value, without leaving the actor if it has already arrived; `nil` at the end.
            ///
            /// - Parameter actor: The actor of the caller.
            /// - Returns: The value.
            /// - Throws: The same as ``next()``.
            @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
            @inlinable public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(TeapotError) -> Element? {
                if let element = arrived.next() { return element }
                return try await read(isolation: actor)
            }

            @usableFromInline
            mutating func read(isolation: isolated (any Actor)?) async throws(TeapotError) -> Element? {
                // What was returned is not held while this waits.
                arrived = [Element]().makeIterator()
                let element = try await reader.next(isolation: isolation)
                arrived = reader.arrived().makeIterator()
                return element
            }
        }
    }
}

/// Reads the values of one iterator. A copy of a reader that has read nothing reads from the beginning.
protocol ElementReader<Element>: Sendable {
    associatedtype Element

    mutating func next(isolation: isolated (any Actor)?) async throws(TeapotError) -> Element?

    /// Values that have arrived behind the last one, and can be had without waiting: some of them, or none.
    mutating func arrived() -> [Element]
}

extension ElementReader {
    func arrived() -> [Element] { [] }
}
