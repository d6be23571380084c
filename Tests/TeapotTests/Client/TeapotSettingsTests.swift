import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Settings for all calls, and the arguments of a call that replace them.
@Suite(.inTurn)
struct TeapotSettingsTests {
    private let transport = ManualTransport { $0.answer(200, body: #"{"teaName":"Earl"}"#) }

    private func teapot(_ configure: (Teapot) -> Void = { _ in }) throws -> Teapot {
        let teapot = Teapot(
            baseURL: try #require(URL(string: "https://tea.example/api")),
            transport: transport,
            clock: StoppedClock()
        )
        configure(teapot)
        return teapot
    }

    private var sent: URLRequest { get throws { try #require(transport.hops.last?.request) } }

    // MARK: - Header fields

    @Test func `header fields go with each request, and a request's own win`() async throws {
        let teapot = try teapot { $0.headerFields = ["User-Agent": "tea/1", "X-Kind": "green"] }
        try await teapot.get("teas", headerFields: ["x-kind": "black"])
        #expect(try sent.value(forHTTPHeaderField: "User-Agent") == "tea/1")
        #expect(try sent.value(forHTTPHeaderField: "X-Kind") == "black")
        teapot.headerFields = ["Authorization": "a\nb"]
        let error = await thrown { () throws(TeapotError) in try await teapot.get("teas") }
        #expect(error?.type == .invalidHeaderField)
    }

    @Test func `a call that decodes accepts JSON, unless the caller accepts something else`() async throws {
        let teapot = try teapot()
        _ = try await teapot.send(Plain())
        #expect(try sent.value(forHTTPHeaderField: "Accept") == nil)
        _ = try await teapot.send(GetTea())
        #expect(try sent.value(forHTTPHeaderField: "Accept") == "application/json, */*;q=0.5")
        _ = try await teapot.get("teas", as: Tea.self, headerFields: ["accept": "text/x-tea"])
        #expect(try sent.value(forHTTPHeaderField: "Accept") == "text/x-tea")
        teapot.headerFields = ["Accept": "application/tea+json"]
        _ = try await teapot.get("teas", as: Tea.self)
        #expect(try sent.value(forHTTPHeaderField: "Accept") == "application/tea+json")
    }

    // MARK: - Time

    /// Changes the timeout of requests.
    private struct Patience: Teapot.Plugin {
        let seconds: Double
        func prepare(_ request: inout URLRequest) { request.timeoutInterval = seconds }
    }

    @Test(arguments: [(nil, 15.0), (40, 40), (-1, -1)] as [(Double?, Double)])
    func `a configuration's timeout counts, if it is not Foundation's own`(given: Double?, seconds: Double) throws {
        let configuration = URLSessionConfiguration.default
        if let given { configuration.timeoutIntervalForRequest = given }
        let url = try #require(URL(string: "https://tea.example"))
        #expect(Teapot(baseURL: url, configuration: configuration).timeoutInterval == seconds)
    }

    static let timeouts: [(teapot: Double?, call: Double?, plugin: Double?, seconds: Double)] = [
        (nil, nil, nil, 15), (40, nil, nil, 40), (40, 3, nil, 3), (nil, nil, 7, 7), (40, 3, 7, 7), (1, nil, nil, 1),
    ]

    @Test(arguments: timeouts)
    func `the nearest timeout counts`(teapot: Double?, call: Double?, plugin: Double?, seconds: Double) async throws {
        let client = try self.teapot()
        if let teapot { client.timeoutInterval = teapot }
        if let plugin { client.plugins = [Patience(seconds: plugin)] }
        try await client.send(Teapot.Request(path: "teas").with { $0.timeoutInterval = call })
        #expect(try sent.timeoutInterval == seconds)
    }

    // MARK: - Where to

    private struct Elsewhere: Endpoint {
        var request: Teapot.Request {
            var request: Teapot.Request = "files"
            request.baseURL = URL(string: "https://uploads.example/v2")
            return request
        }
    }

    @Test func `an endpoint may have a base URL of its own`() async throws {
        let teapot = try teapot()
        _ = try await teapot.send(Elsewhere())
        #expect(try sent.url?.absoluteString == "https://uploads.example/v2/files")
        try await teapot.send(Teapot.Request(path: "teas"))
        #expect(try sent.url?.absoluteString == "https://tea.example/api/teas")
        let wrong = Teapot.Request(path: "teas").with { $0.baseURL = URL(string: "ftp://uploads.example") }
        let error = await thrown { () throws(TeapotError) in try await teapot.send(wrong) }
        #expect(error?.type == .invalidRequestPath)
    }

    // MARK: - Method and body

    @Test func `a method is made from a literal`() async throws {
        let teapot = try teapot()
        try await teapot.send(Teapot.Request("PROPFIND", path: "teas"))
        #expect(try sent.httpMethod == "PROPFIND")
        try await teapot.options("teas")
        #expect(try sent.httpMethod == "OPTIONS")
        for method in ["GE T", "", "GET\r\nX: 1", Teapot.HTTPMethod(stringLiteral: String(repeating: "A", count: 65))] {
            let error = await thrown { () throws(TeapotError) in try await teapot.send(Teapot.Request(method)) }
            #expect(error?.type == .invalidPayload)
            #expect(error?.failureReason?.hasPrefix("the method \"") == true)
        }
    }

    @Test func `a dump shows no secret`() throws {
        final class Client: Teapot, @unchecked Sendable {}
        let url = try #require(URL(string: "http://ada:hush-password@h/v1?token=hush-token"))
        let mock = MockTeapot(strictIn: .module)
        mock.baseURL = url
        for teapot in [Teapot(baseURL: url, transport: transport), Client(baseURL: url, transport: transport), mock] {
            teapot.headerFields = ["X-Api-Key": "hush-key", "X-Tenant": "hush-tenant"]
            teapot.plugins = [Credential.bearer("hush-bearer")]
            teapot.authenticator = Authenticator(.bearer("hush-bearer-2")) { _ in .bearer("hush-bearer-3") }
            try teapot.cookies.set([Teapot.Cookie(name: "sid", value: "hush-cookie")])
            var dumped = ""
            dump(teapot, to: &dumped)
            #expect(dumped.contains("/v1?token=<redacted>"))
            #expect(!dumped.contains("hush"))
        }
    }
}
