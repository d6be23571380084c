import Foundation

/// A body that is made while it is sent, so that its size costs no memory.
struct GeneratedBody: Sendable {
    /// How many bytes go out at once.
    static let pieceSize = 1 << 16

    /// The offsets of the bytes that are sent.
    let range: Range<Int>

    /// Makes the bytes at these offsets.
    let piece: @Sendable (Range<Int>) -> Data

    /// Whether it goes out in the chunked coding and not with a `Content-Length`.
    var isChunked = false

    /// After how many bytes the connection is closed. `nil` or more than there are for not at all.
    var cut: Int?

    /// Whether the rest waits for `release()` once the first piece is out.
    var waits = false

    /// Whether the connection ends with the body.
    var isCut: Bool {
        cut.map { $0 <= range.count } ?? false
    }

    /// The pieces that go out, in order.
    var pieces: [Range<Int>] {
        let end = range.lowerBound + min(max(cut ?? .max, 0), range.count)
        return stride(from: range.lowerBound, to: end, by: Self.pieceSize).map { $0..<min($0 + Self.pieceSize, end) }
    }
}
