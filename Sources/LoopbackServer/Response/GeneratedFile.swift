package import Foundation

/// A file that is nowhere: each byte follows from its offset, so any part can be made at any time, and a byte in the wrong place
/// is seen.
package enum GeneratedFile {
    /// No file is larger, in bytes.
    package static let sizeLimit = 1 << 30

    /// A part of the content.
    ///
    /// - Parameter range: Offsets in bytes. What is not within `0..<sizeLimit` is left out.
    /// - Returns: The bytes, all in memory.
    package static func bytes(_ range: Range<Int>) -> Data {
        let range = range.clamped(to: 0..<sizeLimit)
        let first = range.lowerBound / 8
        let last = (range.upperBound + 7) / 8
        // Without a capacity, the initializer writes to the storage that all empty arrays share.
        let words = [UInt64](unsafeUninitializedCapacity: last - first + 1) { words, count in
            // Without an iterator, which takes most of the time of a debug build.
            var index = first
            while index < last {
                words[index - first] = SeededGenerator.value(at: index, seed: 1).littleEndian
                index += 1
            }
            count = last - first
        }
        let offset = range.lowerBound - first * 8
        return words.withUnsafeBytes { bytes in
            Data(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + range.count]))
        }
    }

    /// The digest of a part of the content, made in little memory.
    ///
    /// - Parameter range: Offsets in bytes. What is not within `0..<sizeLimit` is left out.
    /// - Returns: What `POST /digest` answers to these bytes.
    package static func digest(_ range: Range<Int>) -> BodyDigest {
        let range = range.clamped(to: 0..<sizeLimit)
        var digest = BodyDigest()
        for start in stride(from: range.lowerBound, to: range.upperBound, by: GeneratedBody.pieceSize) {
            bytes(start..<min(start + GeneratedBody.pieceSize, range.upperBound)).withUnsafeBytes {
                digest.update($0)
            }
        }
        return digest
    }
}
