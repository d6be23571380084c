import LoopbackServer

/// Bytes that are damaged at random, in the ways that parsers trip over.
enum Mutation {
    private static let specials: [UInt8] =
        Array("\r\n\0 \t:;,=\"\\%/#?@<>()[]{}-+.*0919aZ".utf8) + [
            0x01, 0x1B, 0x7F, 0x80, 0xBF, 0xC3, 0xE2, 0xF0, 0xFE, 0xFF,
        ]
    private static let numbers = [
        "0", "-1", "00", "1", "255", "256", "65535", "65536", "2147483647", "2147483648", "4294967295", "4294967296",
        "9223372036854774784", "9223372036854775807", "9223372036854775808", "18446744073709551616", "1e9", "0x10",
        "99999999999999999999999999", "+5", "1.5", "",
    ].map { Array($0.utf8) }

    /// Damages bytes in some places.
    static func damage(_ bytes: [UInt8], times: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<times).reduce(bytes) { bytes, _ in damage(bytes, &generator) }
    }

    private static func damage(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        let place = generator.number(0...bytes.count)
        let range = place..<min(place + generator.number(0...8), bytes.count)
        switch generator.number(0...11) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
        case 1 where place < bytes.count: bytes[place] = .random(in: 0...255, using: &generator)
        case 2, 0, 1: bytes.insert(generator.pick(specials), at: place)
        case 3 where place < bytes.count: bytes[place] = generator.pick(specials)
        case 4: bytes.removeSubrange(range)
        case 5: bytes.insert(contentsOf: bytes[range], at: place)
        case 6: bytes.removeSubrange(place...)
        case 7, 3: replaceNumber(in: &bytes, near: place, &generator)
        case 8: changeLines(of: &bytes, &generator)
        case 9:
            let special = generator.pick(specials)
            bytes.insert(contentsOf: repeatElement(special, count: .random(in: 2...300, using: &generator)), at: place)
        case 10: bytes.insert(contentsOf: generator.pick(numbers), at: place)
        default: bytes.replaceSubrange(range, with: range.map { _ in UInt8.random(in: 0...255, using: &generator) })
        }
        return bytes
    }

    private static func replaceNumber(in bytes: inout [UInt8], near place: Int, _ generator: inout SeededGenerator) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let start = bytes[place...].firstIndex(where: digits.contains) else { return }
        let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.endIndex
        bytes.replaceSubrange(start..<end, with: generator.pick(numbers))
    }

    /// Repeats, drops, swaps or folds a line, or changes how it ends.
    private static func changeLines(of bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        let (one, other) = (
            generator.number(0...lines.count - 1), generator.number(0...lines.count - 1)
        )
        switch generator.number(0...5) {
        case 0: lines.insert(lines[one], at: other)
        case 1: lines.remove(at: one)
        case 2: lines.swapAt(one, other)
        case 3: lines[one].insert(contentsOf: " ".utf8, at: 0)
        case 4: if lines[one].last == 0x0D { lines[one].removeLast() }
        default: lines[one].append(0x0D)
        }
        bytes = Array(lines.joined(separator: [0x0A]))
    }
}
