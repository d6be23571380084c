import Foundation
import LoopbackServer
import TestTraits
import Testing

@Suite(.inTurn)
struct GeneratedFileTests {
    @Test(arguments: [0..<0, 0..<1, 3..<4, 7..<9, 8..<16, 5..<1000, 999..<1000])
    func `any range equals that range of the whole`(range: Range<Int>) {
        let whole = GeneratedFile.bytes(0..<1000)
        #expect(whole.count == 1000)
        #expect(GeneratedFile.bytes(range) == whole[range])
    }

    @Test func `no two parts are alike`() {
        let whole = GeneratedFile.bytes(0..<40_000)
        let pieces = stride(from: 0, to: whole.count, by: 8).map { Array(whole[$0..<$0 + 8]) }
        #expect(Set(pieces).count == pieces.count)
        #expect(zip(whole, GeneratedFile.bytes(0..<40_000, version: 2)).count { $0 == $1 } < 400)
    }

    @Test func `bytes beyond the limit are left out`() {
        let limit = GeneratedFile.sizeLimit
        #expect(GeneratedFile.bytes(-5..<3) == GeneratedFile.bytes(0..<3))
        #expect(GeneratedFile.bytes(limit - 3..<Int.max).count == 3)
        #expect(GeneratedFile.digest(limit - 3..<Int.max).count == 3)
        #expect(GeneratedFile.bytes(limit..<Int.max).isEmpty)
    }

    @Test func `the digest is that of the bytes`() {
        let range = 5..<200_000
        #expect(GeneratedFile.digest(range) == BodyDigest(GeneratedFile.bytes(range)))
        #expect(GeneratedFile.digest(range, version: 2) == BodyDigest(GeneratedFile.bytes(range, version: 2)))
        #expect(GeneratedFile.digest(range) != GeneratedFile.digest(range, version: 2))
    }
}
