import TestTraits
import Testing

@testable internal import Teapot

@Suite(.inTurn)
struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-0/1", 0, 0, 1), ("bytes 100-199/200", 100, 199, 200), ("BYTES  5-9/10", 5, 9, 10),
            (" bytes 5-9/10 ", 5, 9, 10), ("bytes 0-0/9223372036854775807", 0, 0, Int.max), ("bytes 5-9/*", 5, 9, nil),
        ] as [(String, Int, Int, Int?)]
    )
    func `names the range of bytes`(value: String, first: Int, last: Int, size: Int?) throws {
        let range = try #require(ContentRange(value))
        #expect(range.first == first)
        #expect(range.last == last)
        #expect(range.size == size)
    }

    @Test(
        arguments: [
            "", "bytes", "bytes 5-4/10", "bytes 5-10/10", "bytes */10", "bytes */*", "bytes 5-4/*", "items 0-4/5",
            "bytes -1-4/5",
            "bytes 0-4",
            "bytes 0-9223372036854775808/*", "bytes 0-1/9223372036854775808", "bytes 0-9223372036854775807/*",
            "bytes 0x0-4/5", "bytes 0-4/5, 6-7/8",
        ] as [String]
    )
    func `does not exist for other text`(value: String) {
        #expect(ContentRange(value) == nil)
    }

    @Test(
        arguments: [
            ("bytes=5-9", true), ("bytes=5-", true), ("BYTES= 5-20 ", true), ("bytes=5-8", false), ("bytes=4-9", false),
            ("bytes=6-", false), ("bytes=99999999999999999999-", false), ("bytes=-5", true), ("bytes=-4", false),
            ("bytes=-9", true), ("bytes=0-1,5-9", true),
            ("items=1", true),
        ] as [(String, Bool)]
    )
    func `answers a request for it, or for more`(range: String, answers: Bool) throws {
        #expect(try #require(ContentRange("bytes 5-9/10")).answers(range) == answers)
        #expect(try #require(ContentRange("bytes 5-8/10")).answers("bytes=-5") == false)
        #expect(try #require(ContentRange("bytes 5-9/*")).answers("bytes=-5"))
    }
}
