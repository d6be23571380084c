package import Foundation

/// Wraps data as gzip and zlib do, without making it smaller: a client cannot tell, and no compression library is needed.
package enum StoredCompression {
    /// The gzip format (RFC 1952).
    package static func gzip(_ data: Data) -> Data {
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        let length = UInt32(truncatingIfNeeded: data.count)
        return Data(header) + storedBlocks(data) + littleEndian(crc32(data)) + littleEndian(length)
    }

    /// The zlib format (RFC 1950), which is what `Content-Encoding: deflate` means.
    package static func zlib(_ data: Data) -> Data {
        let sum = adler32(data)
        return Data([0x78, 0x01]) + storedBlocks(data) + Data(littleEndian(sum).reversed())
    }

    /// Blocks of type 0 (RFC 1951, section 3.2.4).
    private static func storedBlocks(_ data: Data) -> Data {
        let bytes = Array(data)
        let limit = 0xFFFF
        var result = Data()
        var start = 0
        repeat {
            let end = min(start + limit, bytes.count)
            let length = UInt16(end - start)
            let isLast: UInt8 = end == bytes.count ? 1 : 0
            result.append(contentsOf: [isLast] + littleEndian(length) + littleEndian(~length))
            result.append(contentsOf: bytes[start..<end])
            start = end
        } while start < bytes.count
        return result
    }

    private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static func crc32(_ data: Data) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in data {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320
            }
        }
        return ~sum
    }

    private static func adler32(_ data: Data) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in data {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return high << 16 | low
    }
}
