import Teapot
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

    static let encoders: [(own: Bool, given: Bool, text: String)] = [
        (false, false, #"{"teaName":"a/b"}"#), (false, true, #"{"tea_name":"a\/b"}"#),
        (true, false, #"{"tea_name":"a\/b"}"#), (true, true, #"{"tea_name":"a\/b"}"#),
    ]

    @Test(arguments: encoders)
    func `its own encoder wins over the given one`(own: Bool, given: Bool, text: String) throws {
        let tea = Tea(teaName: "a/b")
        let encoder = given ? (own ? JSONEncoder() : CodingTests.snakeEncoder) : nil
        let request = try own ? Teapot.Request(PutTea(tea: tea)) : Teapot.Request(PostAny(value: tea))
        #expect(try request.body?.encoded(using: encoder).data.map { String(decoding: $0, as: UTF8.self) } == text)
    }

    // MARK: - Responses

    @Test func `parses by its own decoder`() throws {
        #expect(try PutTea().parse(response(#"{"tea_name":"Earl"}"#)) == Tea())
        #expect(try GetTea().parse(response(#"{"teaName":"Earl"}"#)) == Tea())
        #expect(throws: TeapotError.self) { try GetTea().parse(response(#"{"tea_name":"Earl"}"#)) }
    }

    @Test(arguments: ["", "<h1>", "{}", "[1]"])
    func `an empty body is not read`(body: String) throws {
        #expect(try Plain().parse(response(body)) == EmptyResponse())
    }
}
