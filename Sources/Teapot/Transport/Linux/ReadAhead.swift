#if canImport(FoundationNetworking)
    import Foundation

    /// Reads a file a few pieces ahead, on its own queue: FoundationNetworking's one thread must not wait for a disk.
    /// `@unchecked Sendable` is sound: the variables are read and written only while `condition` is locked.
    final class ReadAhead: @unchecked Sendable {
        static let capacity = 4
        /// The maximum number of seconds to wait for a piece.
        static let patience: TimeInterval = 2

        private let url: URL
        private let size: Int
        private let read: @Sendable (Range<Int>) throws(TeapotError) -> [UInt8]
        private let queue = DispatchQueue(label: "Teapot.ReadAhead")
        private let condition = Condition()
        /// The pieces that were read. The last one may be an error, which stays.
        private var pieces: [Result<[UInt8], TeapotError>] = []
        /// The number of bytes read, or ``size`` after an error.
        private var position = 0
        private var isStopped = false

        init(_ url: URL, size: Int, read: @escaping @Sendable (Range<Int>) throws(TeapotError) -> [UInt8]) {
            self.url = url
            self.size = size
            self.read = read
        }

        /// Begins to read. `isReady` is called on a thread that nothing waits for, once there is a piece, the end or an error.
        func begin(_ isReady: @escaping @Sendable () -> Void = {}) {
            queue.async {
                self.fillBuffer()
                isReady()
            }
        }

        /// Takes the next piece, and waits for it, but not for long.
        /// - Returns: At least one byte; none at the end, and after ``stop()``.
        /// - Throws: `fileError` if reading fails, or takes too long.
        func next() throws(TeapotError) -> [UInt8] {
            let result = condition.wait(until: .now() + Self.patience) { () -> Result<[UInt8], TeapotError>? in
                if isStopped { return .success([]) }
                if pieces.isEmpty { return position < size ? nil : .success([]) }
                if case .failure = pieces[0] { return pieces[0] }
                // `fillBuffer` ends when there are enough pieces. A second one waits in the queue while the first runs.
                if position < size { queue.async { self.fillBuffer() } }
                return pieces.removeFirst()
            }
            guard let result else { throw .fileError(url, "reading it took more than \(Int(Self.patience)) seconds") }
            return try result.get()
        }

        /// Stops reading; waiting threads return.
        func stop() {
            condition.withLock {
                isStopped = true
                pieces = []
                condition.broadcast()
            }
        }

        private func fillBuffer() {
            while let range = nextRange() {
                let piece = Result { () throws(TeapotError) in try read(range) }
                condition.withLock {
                    pieces.append(piece)
                    if case .failure = piece { position = size } else { position = range.upperBound }
                    condition.broadcast()
                }
            }
        }

        private func nextRange() -> Range<Int>? {
            condition.withLock {
                guard !isStopped, pieces.count < Self.capacity, position < size else { return nil }
                return position..<min(position + RegularFile.pieceLength, size)
            }
        }
    }
#endif
