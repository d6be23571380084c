package import Foundation

/// How many bytes there were, and their digest by FNV-1a with 64 bits (draft-eastlake-fnv): enough to tell that nothing was lost, moved or
/// changed, and cheap enough for bodies that are not kept.
package struct BodyDigest: Sendable, Hashable {
    /// How many bytes were digested.
    package private(set) var count = 0

    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The digest of no bytes.
    package init() {}

    /// The digest of these bytes.
    package init(_ data: Data) {
        data.withUnsafeBytes { update($0) }
    }

    /// The digest in sixteen hexadecimal digits.
    package var text: String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Goes on with the bytes that follow.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var hash = hash
        // Without an iterator and the buffer's subscript, which take most of the time of a debug build.
        bytes.withMemoryRebound(to: UInt8.self) { bytes in
            guard var next = bytes.baseAddress else { return }
            let end = next + bytes.count
            while next < end {
                hash = (hash ^ UInt64(next.pointee)) &* 0x0000_0100_0000_01B3
                next += 1
            }
        }
        self.hash = hash
        count += bytes.count
    }
}
