import Teapot
import TestSupport
import TestTraits
import Testing

/// The request of an endpoint, and the result of its response, without a client.
@Suite(.inTurn)
struct EndpointTests {
    private func response(_ body: String, headers: [String: String] = [:]) throws -> Teapot.Response {
        let url = try #require(URL(string: "http://127.0.0.1:1/teas"))
        let http = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: headers)
        return Teapot.Response(data: Data(body.utf8), http: try #require(http))
    }

    // MARK: - Requests

    @Test func `everything but the path has a default`() throws {
        let request = try Teapot.Request(Plain())
        #expect(request.path == "plain")
        #expect(request.method == .get)
        #expect(request.query.isEmpty)
        #expect(request.headerFields.isEmpty)
        #expect(request.body == nil)
        #expect(request.timeoutInterval == nil)
        #expect(request.baseURL == nil)
        #expect(Plain.Response.self == EmptyResponse.self)
        #expect(Plain.Failure.self == EmptyResponse.self)
    }

    @Test func `everything set`() throws {
        let request = try Teapot.Request(PutTea())
        #expect(request.path == "teas")
        #expect(request.method == .put)
        #expect(request.query == ["a": "b&c"])
        #expect(request.headerFields == ["X-Kind": "green"])
        #expect(try request.body?.encoded().data == Data(#"{"tea_name":"Earl"}"#.utf8))
        #expect(request.body?.contentType == "application/json")
        #expect(request.timeoutInterval == 3)
    }

    @Test func `a nil body is not sent`() throws {
        #expect(try Teapot.Request(PutTea(tea: nil)).body == nil)
    }

    @Test func `data is sent as it stands`() throws {
        let body = try Teapot.Request(PostAny(value: Data([0, 255, 1]))).body
        #expect(body?.data == Data([0, 255, 1]))
        #expect(body?.contentType == "application/octet-stream")
    }

    @Test func `a body of its own kind`() throws {
        struct Upload: Endpoint {
            let path = "files"
            let method = HTTPMethod.post

            func adjust(_ request: inout Teapot.Request) throws(TeapotError) {
                var form = MultipartFormData()
                form.append("Earl", name: "tea")
                request.body = try form.body()
            }
        }
        let body = try #require(try Teapot.Request(Upload()).body)
        #expect(body.contentType.hasPrefix("multipart/form-data"))
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

    @Test func `a body that cannot be encoded`() throws {
        let request = try Teapot.Request(PostAny(value: ["a": Double.nan]))
        let error = #expect(throws: TeapotError.self) { try request.body?.encoded() }
        #expect(error?.type == .invalidPayload)
        #expect(error?.failureReason?.contains("$.a") == true)
    }

    @Test func `an error of adjusting is thrown`() throws {
        let error = #expect(throws: TeapotError.self) { try Teapot.Request(Unsendable()) }
        #expect(error?.description == "not today")
    }

    // MARK: - Responses

    @Test func `parses by its own decoder`() throws {
        #expect(try PutTea().parse(response(#"{"tea_name":"Earl"}"#)) == Tea())
        #expect(try GetTea().parse(response(#"{"teaName":"Earl"}"#)) == Tea())
        #expect(throws: TeapotError.self) { try GetTea().parse(response(#"{"tea_name":"Earl"}"#)) }
    }

    @Test func `its result need not be decodable`() throws {
        #expect(try GetLeaves().parse(response("<ul>")) == GetLeaves.Leaves(text: "<ul>"))
        #expect(try Teapot.Request(GetLeaves()).method.rawValue == "HARVEST")
    }

    @Test(arguments: ["", "<h1>", "{}", "[1]"])
    func `an empty body is not read`(body: String) throws {
        #expect(try Plain().parse(response(body)) == EmptyResponse())
    }

    @Test func `an empty body as JSON`() throws {
        let text = String(decoding: try JSONEncoder().encode(EmptyResponse()), as: UTF8.self)
        #expect(text == "{}")
        #expect(try JSONDecoder().decode(EmptyResponse.self, from: Data(#"{"a":1}"#.utf8)) == EmptyResponse())
    }
}
