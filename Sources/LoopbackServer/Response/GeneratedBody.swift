import Foundation

/// A part of a ``GeneratedFile``, made while it is sent, so that its size costs no memory.
struct GeneratedBody: Sendable {
    /// How many bytes go out at once.
    static let pieceSize = 1 << 16

    /// The offsets of the bytes that are sent.
    let range: Range<Int>

    /// Whether it goes out in the chunked coding and not with a `Content-Length`.
    let isChunked: Bool

    /// The pieces that go out, in order.
    var pieces: [Range<Int>] {
        stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceSize).map {
            $0..<min($0 + Self.pieceSize, range.upperBound)
        }
    }
}
