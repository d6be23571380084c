import Teapot
import TestTraits
import Testing

@testable import TeapotMock

@Suite(.inTurn)
struct CanonicalBodyTests {
    @Test func `a recorded path is normalized like that of a request`() throws {
        let recorded = try #require(RecordedURL("http://notes.test/v1/%2e%2E/%c3%bc"))
        #expect(try recorded.matches(#require(RecordedURL("http://notes.test/%C3%BC"))))
        #expect(try !recorded.matches(#require(RecordedURL("http://notes.test/v1/%C3%BC"))))
    }

    @Test func `is compared once with all entries`() throws {
        let url = try #require(URL(string: "http://notes.test/a?b=2&a=1"))
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(#"{ "a":1 }"#.utf8)
        let received = try RecordedRequest(TransportRequest(request), url: url, time: .zero)
        let recorded = try #require(RecordedURL("http://notes.test/a?a=1&b=2"))
        for (body, matches) in [
            (#"{"a":1}"#, true), (#"{"a":"<redacted>"}"#, true), (#"{"a":2}"#, false),
            (#"{"a":"<redacted>","b":1}"#, false), (#"{"A":1,"a":"<redacted>"}"#, false),
            (#"{"a":"x<redacted>"}"#, false),
        ] {
            let key = RecordedKey(method: .post, url: recorded, body: Data(body.utf8))
            #expect((key.match(received) != nil) == matches)
        }
        #expect(received.received.body(of: received) == .json(#"{"a":1}"#))
        #expect(received.received.url(of: received)?.items == [HARField("a", "1"), HARField("b", "2")])
    }
}
