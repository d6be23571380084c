import Foundation
import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct SegmentTests {
    @Test(
        arguments: [
            ("what?.txt", "what%3F.txt"), ("a#b", "a%23b"), ("50%25", "50%2525"), ("a/b", "a%2Fb"), ("../x", "..%2Fx"),
            ("ü ;", "%C3%BC%20%3B"), ("...", "..."), ("a-b_c.d~e", "a-b_c.d~e"),
        ] as [(String, String)]
    )
    func `a text is one segment`(_ text: String, _ segment: String) throws {
        #expect(try Teapot.segment(text) == segment)
        #expect(segment.removingPercentEncoding == text)
    }

    @Test(arguments: ["", ".", ".."])
    func `a text that would name another resource is an error`(_ text: String) {
        let error = #expect(throws: TeapotError.self) { try Teapot.segment(text) }
        #expect(error?.type == .invalidRequestPath)
        #expect(error?.failureReason?.contains("\"\(text)\"") == true)
    }
}
