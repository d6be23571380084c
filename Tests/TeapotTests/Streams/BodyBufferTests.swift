import Foundation
import TestSupport
import TestTraits
import Testing

@testable internal import Teapot

@Suite(.inTurn, .exitTests)
struct BodyBufferTests {
    private func piece(_ number: Int, _ length: Int) -> Data {
        Data(repeating: UInt8(truncatingIfNeeded: number), count: length)
    }

    @Test func `is empty before the first piece, and when all was read`() throws {
        var buffer = BodyBuffer()
        #expect(buffer.isEmpty)
        #expect(try buffer.next() == nil)
        try buffer.append(piece(1, 3))
        try buffer.append(piece(2, 1))
        #expect(!buffer.isEmpty)
        #expect(try buffer.next() == piece(1, 3) + piece(2, 1))
        #expect(buffer.isEmpty)
    }

    /// The open files by their inodes. At the start these are inherited: other tests have files that Foundation opens without
    /// `O_CLOEXEC`, and may delete them at any time. Descriptors do not tell them apart, since libraries open and close some.
    private static func files() throws -> [ino_t: stat] {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return names.reduce(into: [:]) { files, name in
            var status = stat()
            guard fstat(Int32(name) ?? -1, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
            files[status.st_ino] = status
        }
    }

    /// The sizes of the open files without a name, except inherited ones.
    private static func files(besides inherited: [ino_t: stat]) throws -> [Int] {
        try files().filter { inherited[$0.key] == nil && $0.value.st_nlink == 0 }.map { Int($0.value.st_size) }
    }

    /// In a process of its own, since those of others would count.
    @Test func `frees what was read, even if it is never empty`() async {
        await #expect(processExitsWith: .success) {
            let inherited = try Self.files()
            var buffer = BodyBuffer()
            for _ in 0..<8 { try buffer.append(Data(count: 1 << 18)) }
            for _ in 0..<400 {
                try buffer.append(Data(count: 1 << 18))
                _ = try buffer.next()
            }
            // Of a hundred megabytes.
            let size = try Self.files(besides: inherited).reduce(0, +)
            #expect((1_000_000..<40_000_000).contains(size))
        }
    }

    /// In a process of its own, since those of others would count.
    @Test func `holds one descriptor however much waits`() async {
        await #expect(processExitsWith: .success) {
            // Pieces that do not end where a block of the file does.
            let length = 3_000_001
            /// Whether what came is what was sent, from this place on.
            func isRight(_ data: Data, from start: Int) -> Bool {
                var (rest, place) = (data, start)
                while !rest.isEmpty {
                    let part = rest.prefix(length - place % length)
                    guard part == Data(repeating: UInt8(place / length), count: part.count) else { return false }
                    rest = rest.dropFirst(part.count)
                    place += part.count
                }
                return true
            }
            let inherited = try Self.files()
            var buffer = BodyBuffer()
            for number in 0..<60 { try buffer.append(Data(repeating: UInt8(number), count: length)) }
            #expect(try Self.files(besides: inherited).count == 1)
            var (count, isSame) = (0, true)
            while let next = try buffer.next() {
                isSame = isSame && isRight(next, from: count)
                count += next.count
                if count > 170_000_000 { break }
            }
            #expect(isSame)
            // Blocks that were read are given back where the file ends with them, and written to again.
            for number in 60..<65 { try buffer.append(Data(repeating: UInt8(number), count: length)) }
            #expect(try Self.files(besides: inherited).count == 1)
            while let next = try buffer.next() {
                isSame = isSame && isRight(next, from: count)
                count += next.count
            }
            #expect(isSame)
            #expect(count == 65 * length)
            #expect(try Self.files(besides: inherited).isEmpty)
        }
    }

    /// In a process of its own, for its own directory for temporary files.
    @Test func `leaves no file with a name`() async {
        await #expect(processExitsWith: .success) {
            try TemporaryFolder.with { directory in
                setenv("TMPDIR", directory.path, 1)
                var buffer = BodyBuffer()
                try buffer.append(Data([1, 2]))
                #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
                #expect(try buffer.next() == Data([1, 2]))

                setenv("TMPDIR", directory.appending(path: "none").path, 1)
                var homeless = BodyBuffer()
                let error = #expect(throws: TeapotError.self) { try homeless.append(Data([1])) }
                #expect(error?.type == .fileError)
            }
        }
    }
}
