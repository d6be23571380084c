import Teapot
import TestSupport
import TestTraits
import Testing

/// Stand-ins of a user's own, written with what is public.
@Suite(.inTurn)
struct RequestPerformingTests {
    /// Answers everything with one text.
    struct StandIn: RequestPerforming {
        var status = 200
        let body: String
        let requests = Locked<[Teapot.Request]>([])

        func send(_ request: Teapot.Request) async throws(TeapotError) -> Teapot.Response {
            requests.withLock { $0.append(request) }
            guard
                let url = URL(string: "https://tea.example/\(request.path)"),
                let http = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
            else { throw TeapotError(type: .invalidRequestPath, description: "no URL") }
            let response = Teapot.Response(data: Data(body.utf8), http: http)
            guard status == 200 else { throw .invalidResponseStatus(response) }
            return response
        }
    }

    /// Adds a header field to what another sends.
    struct Wrapper: RequestPerforming {
        let inner: any RequestPerforming

        func send(_ request: Teapot.Request) async throws(TeapotError) -> Teapot.Response {
            var request = request
            request.headerFields["X-Wrapped"] = "yes"
            return try await inner.send(request)
        }
    }

    @Test func `a stand-in answers endpoints`() async throws {
        let standIn = StandIn(body: #"{"teaName":"Earl"}"#)
        let api: any RequestPerforming = standIn
        #expect(try await api.send(GetTea(id: 7)) == Tea())
        #expect(try await api.send("teas/8", as: Tea.self) == Tea())
        try await api.send(PostAny(value: ["b": "1/2", "a": "3"]))
        let requests = standIn.requests.withLock { $0 }
        #expect(requests.map(\.path) == ["teas/7", "teas/8", "teas"])
        #expect(try requests.last?.body?.encoded().data == Data(#"{"a":"3","b":"1/2"}"#.utf8))
    }

    @Test func `a stand-in fails`() async throws {
        let api: any RequestPerforming = StandIn(status: 404, body: #"{"error_text":"no tea"}"#)
        let error = try #require(await thrown { () throws(TeapotError) in try await api.send(PutTea()) })
        #expect(error.type == .invalidResponseStatus)
        #expect(error.responseStatus == 404)
        #expect(error.response?.status == 404)
        #expect(try error.decode(PutTea.Failure.self).errorText == "no tea")
        let unsent = await thrown { () throws(TeapotError) in try await api.send(Unsendable()) }
        #expect(unsent?.description == "not today")
    }

    @Test func `a wrapper sends what it changed, encoded as its client does`() async throws {
        let transport = ManualTransport { $0.answer(200, body: #"{"teaName":"Earl"}"#) }
        let teapot = Teapot(
            baseURL: try #require(URL(string: "http://127.0.0.1:1")),
            transport: transport,
            clock: StoppedClock()
        )
        teapot.encoder = CodingTests.snakeEncoder
        let api: any RequestPerforming = Wrapper(inner: teapot)
        #expect(try await api.send(PostAny<_, Tea>(value: Tea())) == Tea())
        let request = try #require(transport.hops.first?.request)
        #expect(request.value(forHTTPHeaderField: "x-wrapped") == "yes")
        #expect(request.httpBody == Data(#"{"tea_name":"Earl"}"#.utf8))
    }
}
