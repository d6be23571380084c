import LoopbackServer
import Teapot
import TeapotMock
import TestTraits
import Testing

/// The samples of forms and OAuth do what the page says of them.
@Suite(.inTurn)
struct SamplesRunFormsTests {
    private let mock = MockTeapot(strictIn: .module)
    private let login = MockTeapot(strictIn: .module)

    private func form(_ request: RecordedRequest?) throws -> String {
        let request = try #require(request)
        #expect(request.headerFields["Content-Type"] == "application/x-www-form-urlencoded")
        return String(decoding: request.body, as: UTF8.self)
    }

    @Test func `the refresh token is replaced by each that comes`() async throws {
        try login.overrideEndPoint(
            "token",
            method: .post,
            withSequence: [
                .json(["access_token": "a", "refresh_token": "r1"]),
                .json(["access_token": "b", "refresh_token": "r2"]),
                .json(["access_token": "c"]),
            ],
            afterLast: .fails
        )
        let token = try await FormSamples.password(login: login, username: "jane", password: "tea & cups")
        #expect(try form(login.requests.last) == "grant_type=password&username=jane&password=tea+%26+cups")
        FormSamples.refresh(mock, login: login, token: token, refreshToken: try #require(token.refreshToken))
        try mock.overrideEndPoint("notes") { request in
            request.headerFields["Authorization"] == "Bearer c" ? .status(.ok) : .status(.unauthorized)
        }
        // The first refresh gives one that is not taken either.
        let error = await #expect(throws: TeapotError.self) { try await mock.get("notes") }
        #expect(error?.responseStatus == 401)
        #expect(try await mock.get("notes").status == 200)
        let forms = try login.requests.dropFirst().map(form)
        #expect(forms == ["r1", "r2"].map { "grant_type=refresh_token&refresh_token=\($0)" })
    }

    @Test func `a server gets the client's identifier and secret, and no log shows them`() async throws {
        let server = try LoopbackServer()
        let login = FormSamples.login(server.baseURL, clientID: "kettle", clientSecret: "s3cret:key")
        let log = Locked("")
        login.logger = Logger(level: .incomingAndOutgoingData) { line in log.withLock { $0 += line } }
        let form = Teapot.Request.Body.form(["grant_type": "password", "username": "jane", "password": "hunter22"])
        try await login.send(.init(.post, path: "post", body: form))
        let value = try #require(server.requests.first?.header("Authorization"))
        #expect(value == "Basic " + Data("kettle:s3cret%3Akey".utf8).base64EncodedString())
        let text = log.withLock { $0 }
        #expect(text.contains("username=jane") && !text.contains("hunter22") && !text.contains(value.dropFirst(6)))
    }
}
