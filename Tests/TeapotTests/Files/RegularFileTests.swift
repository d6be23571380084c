import Foundation
import TestSupport
import TestTraits
import Testing

@testable internal import Teapot

@Suite(.inTurn)
struct RegularFileTests {
    /// Reads a file, and returns the sizes of its pieces.
    private func pieces(of file: URL) throws -> [Int] {
        var file = try RegularFile(reading: file)
        var sizes: [Int] = []
        while case let piece = try file.nextPiece(), !piece.isEmpty { sizes.append(piece.count) }
        return sizes
    }

    private func reason(_ url: URL) -> String? {
        let error = #expect(throws: TeapotError.self) { try pieces(of: url) }
        #expect(error?.type == .fileError)
        let sizeError = #expect(throws: TeapotError.self) { try RegularFile.version(of: url) }
        #expect(sizeError?.failureReason == error?.failureReason)
        return error?.failureReason
    }

    @Test(arguments: [
        (0, []), (1, [1]), (RegularFile.pieceLength, [RegularFile.pieceLength]),
        (RegularFile.pieceLength + 1, [RegularFile.pieceLength, 1]),
    ])
    func `is read in pieces`(size: Int, pieces expected: [Int]) throws {
        try TemporaryFolder.with { directory in
            let url = directory.appending(path: "ünï 😀 %22")
            try Data(count: size).write(to: url)
            #expect(try RegularFile.version(of: url).size == size)
            #expect(try RegularFile(reading: url).size == size)
            #expect(try pieces(of: url) == expected)
        }
    }

    /// Something else at the place of the file, and the reason in the error.
    static let others: [(what: String, make: @Sendable (URL) throws -> Void, reason: String)] = [
        ("nothing", { _ in }, "No such file or directory"),
        (
            "a directory", { try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: false) },
            "it is not a regular file"
        ),
        // It does not wait for a writer.
        ("a FIFO", { try #require(mkfifo($0.path, 0o600) == 0) }, "it is not a regular file"),
        ("a device", { try #require(symlink("/dev/zero", $0.path) == 0) }, "it is not a regular file"),
        ("a loop", { try #require(symlink("f", $0.path) == 0) }, "Too many levels of symbolic links"),
    ]

    @Test(arguments: brief(others.indices) { others[$0].what })
    func `is nothing else`(row: Brief<Int>) throws {
        try TemporaryFolder.with { directory in
            let url = directory.appending(path: "f")
            try Self.others[row.value].make(url)
            #expect(reason(url) == "\(url.path): \(Self.others[row.value].reason)")
        }
    }

    @Test(.enabled("the superuser may read everything") { geteuid() != 0 })
    func `may be read`() throws {
        try TemporaryFolder.with { directory in
            let url = directory.appending(path: "f")
            try Data("text".utf8).write(to: url)
            try #require(chmod(url.path, 0) == 0)
            #expect(reason(url) == "\(url.path): Permission denied")
        }
    }

    @Test(arguments: ["https://example.com/etc/passwd", "data:,x"])
    func `is on disk`(url: String) throws {
        let reason = try reason(#require(URL(string: url)))
        #expect(reason?.hasSuffix(": it is not a file URL") == true)
    }

    @Test func `is not cut off at a NUL`() throws {
        try TemporaryFolder.with { directory in
            try Data("text".utf8).write(to: directory.appending(path: "f"))
            #expect(throws: TeapotError.self) { try pieces(of: URL(fileURLWithPath: directory.path + "/f\0g")) }
            let url = try #require(URL(string: directory.absoluteString + "/f%00g"))
            #expect(throws: TeapotError.self) { try pieces(of: url) }
        }
    }

    /// Whether it ends within a piece or between two.
    @Test(arguments: [0, 1, RegularFile.pieceLength, RegularFile.pieceLength + 1])
    func `does not become shorter`(size: Int) throws {
        try TemporaryFolder.with { directory in
            let url = directory.appending(path: "f")
            try Data(count: 2 * RegularFile.pieceLength).write(to: url)
            var file = try RegularFile(reading: url)
            let first = try file.nextPiece()
            #expect(first.count == RegularFile.pieceLength)
            try #require(truncate(url.path, off_t(size)) == 0)
            let error = #expect(throws: TeapotError.self) { try file.nextPiece() }
            #expect(error?.type == .fileError)
            #expect(error?.failureReason == "\(url.path): it became shorter while it was being read")
        }
    }
}
