import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct SegmentTests {
    @Test(arguments: [
        ("what?.txt", "what%3F.txt"), ("a#b", "a%23b"), ("50%25", "50%2525"), ("a/b", "a%2Fb"), ("../x", "..%2Fx"),
        ("ü ;", "%C3%BC%20%3B"), ("...", "..."), ("a-b_c.d~e", "a-b_c.d~e"),
    ])
    func `a text is one segment`(_ text: String, _ segment: String) async throws {
        #expect(try Teapot.segment(text) == segment)
        let transport = ManualTransport { $0.answer(200) }
        let teapot = Teapot(baseURL: try #require(URL(string: "http://h/v1")), transport: transport)
        try await teapot.get("contents/\(Teapot.segment(text))/x")
        let url = transport.hops.first?.request.url
        #expect(url?.absoluteString == "http://h/v1/contents/\(segment)/x")
        #expect(segment.removingPercentEncoding == text)
    }

    @Test(arguments: ["", ".", ".."])
    func `a text that would name another resource is an error`(_ text: String) {
        let error = #expect(throws: TeapotError.self) { try Teapot.segment(text) }
        #expect(error?.type == .invalidRequestPath)
        #expect(error?.failureReason?.contains("\"\(text)\"") == true)
    }
}
