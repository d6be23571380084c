public import Foundation

extension Teapot.Request.Body {
    /// A body that is sent while an `AsyncSequence` provides it, for example a pipe, or a file that is compressed on the way.
    ///
    /// The body is sent once: neither retried, nor sent again after a redirect with status 307 or 308, or with another
    /// credential. The sequence is read when the request is sent, one piece at a time, as fast as the server takes
    /// them; waiting for a piece is time without progress. An error of the sequence, or another length than announced,
    /// ends the exchange, and is the cause of the call's error. The end of the call cancels the task that reads.
    ///
    /// The length in bytes becomes `Content-Length`. If it is `nil`, `CurlTransport` uses the chunked coding over
    /// HTTP/1.1 (RFC 9112, section 7.1), and `URLSessionTransport` first writes all pieces to a temporary file. The
    /// default media type is `application/octet-stream`.
    public static func stream<Sequence: AsyncSequence & Sendable>(
        _ pieces: Sequence,
        length: Int? = nil,
        contentType: String? = nil
    ) -> Self where Sequence.Element == Data {
        Self(.pieces(Pieces(pieces, length: length)), contentType: contentType ?? bytes)
    }

    /// The pieces of a body made by ``stream(_:length:contentType:)``; `nil` for any other.
    public var pieces: Pieces? { if case .pieces(let pieces) = content { pieces } else { nil } }

    /// The pieces of a body that is sent while it is made. They can be read once.
    public final class Pieces: Sendable {
        /// Their total length in bytes, as announced; `nil` if it is unknown.
        public let length: Int?
        private let makeRead: @Sendable () -> () async throws -> Data?
        private let isTaken = Locked(false)

        init<Sequence: AsyncSequence & Sendable>(_ pieces: Sequence, length: Int?) where Sequence.Element == Data {
            self.length = length
            // Swift 6.0 does not infer the closure's type.
            makeRead = { @Sendable () -> () async throws -> Data? in
                var iterator = pieces.makeAsyncIterator()
                return { try await iterator.next() }
            }
        }

        /// Takes the body for a call. Throws `invalidPayload` if another call has taken it.
        func claim() throws(TeapotError) {
            if let length, length < 0 { throw .invalidPayload(reason: "a body cannot have \(length) bytes") }
            let spent = isTaken.withLock { isTaken in
                defer { isTaken = true }
                return isTaken
            }
            if spent { throw .invalidPayload(reason: "the body was sent before, and its pieces can be read only once") }
        }

        /// Passes on the pieces, which are not empty, one after the other; the last one when the sequence has ended, so
        /// that a body of another length than announced is never sent as a whole.
        ///
        /// - Throws: The error for ``TransportEvent/finished(_:)``: of the sequence, of `take`, or for another length.
        public func forEach(_ take: @Sendable (Data) async throws -> Void) async throws {
            let read = makeRead()
            var count = 0
            var last: Data?
            while true {
                let piece: Data?
                do { piece = try await read() } catch { throw BodyError(cause: error) }
                // A sequence may end because its task was cancelled.
                try Task.checkCancellation()
                guard let piece else { break }
                guard !piece.isEmpty else { continue }
                count += piece.count
                if let length, count > length { throw BodyError("the body has more than \(length) bytes") }
                if count == length { last = piece } else { try await take(piece) }
            }
            if let length, count < length { throw BodyError("the body ended after \(count) of \(length) bytes") }
            if let last { try await take(last) }
        }
    }
}
