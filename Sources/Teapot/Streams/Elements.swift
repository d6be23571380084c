extension Teapot {
    /// Values that are read one after the other: pieces or lines of a body, events, or pages.
    ///
    /// To stop early, leave the loop or cancel the task.
    public struct Elements<Element: Sendable>: AsyncSequence, Sendable {
        /// Makes an iterator with a reader of its own. The optimizer of Swift 6.0.3 crashes on a closure that returns the reader.
        let makeIterator: @Sendable () -> Iterator

        /// Iterates over the values.
        public func makeAsyncIterator() -> Iterator { makeIterator() }

        /// Iterates over the values.
        public struct Iterator: AsyncIteratorProtocol {
            let reader: any ElementReader<Element>
            /// The values that arrived together with the last one. `next` returns them without an `async` call into this module, which
            /// takes several times as long as a short line.
            @usableFromInline var arrived = [Element]().makeIterator()

            /// The next value; `nil` at the end.
            ///
            /// - Throws: The error that ended the sequence; `cancelled` if the task was cancelled.
            @inlinable public mutating func next() async throws(TeapotError) -> Element? {
                if let element = arrived.next() { return element }
                return try await read(isolation: nil)
            }

            /// The next value, as ``next()`` gives it, but without leaving the actor of the caller if it has already arrived.
            @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
            @inlinable
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(TeapotError) -> Element? {
                if let element = arrived.next() { return element }
                return try await read(isolation: actor)
            }

            @usableFromInline
            mutating func read(isolation: isolated (any Actor)?) async throws(TeapotError) -> Element? {
                // Releases the values that were returned while this waits.
                arrived = [Element]().makeIterator()
                let element = try await reader.next(isolation: isolation)
                arrived = reader.arrived().makeIterator()
                return element
            }
        }
    }
}

/// Reads the values of one iterator.
protocol ElementReader<Element>: AnyObject {
    associatedtype Element

    func next(isolation: isolated (any Actor)?) async throws(TeapotError) -> Element?
    /// Some of the values that have arrived after the last one and need no waiting.
    func arrived() -> [Element]
}

extension ElementReader { func arrived() -> [Element] { [] } }
