@testable import Teapot
import TestSupport
import TestTraits
import Testing

/// The request of an endpoint, and the result of its response, without a client.
@Suite(.inTurn)
struct EndpointTests {
    private func response(_ body: String) throws -> Teapot.Response {
        let url = try #require(URL(string: "http://127.0.0.1:1/teas"))
        let http = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
        return Teapot.Response(data: Data(body.utf8), http: try #require(http))
    }

    // MARK: - Requests

    @Test func `a nil body is not sent`() throws {
        #expect(try Teapot.Request(PutTea(tea: nil)).body == nil)
    }

    @Test(arguments: [(false, #"{"teaName":"a/b"}"#), (true, #"{"tea_name":"a\/b"}"#)])
    func `its value is encoded by the given encoder`(isGiven: Bool, text: String) throws {
        let encoder = isGiven ? CodingTests.snakeEncoder : nil
        let body = try Teapot.Request(PostAny(value: Tea(teaName: "a/b"))).body?.encoded(using: encoder)
        #expect(body?.data.map { String(decoding: $0, as: UTF8.self) } == text)
    }

    @Test func `only a response that is decoded prefers JSON`() throws {
        #expect(try Teapot.Request(GetTea()).accept == ["Accept": "application/json, */*;q=0.5"])
        #expect(try Teapot.Request(Plain()).accept.isEmpty)
    }

    // MARK: - Responses

    @Test func `parses JSON`() throws {
        #expect(try GetTea().parse(response(#"{"teaName":"Earl"}"#)) == Tea())
        #expect(throws: TeapotError.self) { try GetTea().parse(response(#"{"tea_name":"Earl"}"#)) }
    }

    @Test(arguments: ["", "<h1>", "{}", "[1]"])
    func `an empty body is not read`(body: String) throws {
        #expect(throws: Never.self) { try Plain().parse(response(body)) }
    }
}
