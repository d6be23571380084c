import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// Responses that the client examines before they count as successes.
@Suite(.inTurn)
struct ValidationContractTests {
    private struct NotTea: LocalizedError {
        var errorDescription: String? { "this is coffee" }
    }

    /// Fails a response whose body says so, like a response with that status.
    @Sendable private static func validate(_ response: Teapot.Response) throws {
        switch response.text {
        case "expired": throw TeapotError(type: .invalidResponseStatus, description: "log in", responseStatus: 401)
        case "busy": throw TeapotError(type: .invalidResponseStatus, description: "wait", responseStatus: 503)
        case "coffee": throw NotTea()
        default: break
        }
    }

    @Test(arguments: Backend.scriptable)
    func `its error causes another credential or attempt, or ends the call`(_ backend: Backend) async throws {
        for (body, credentials, attempts) in [("expired", 1, 1), ("busy", 0, 2), ("coffee", 0, 1), ("tea", 0, 1)] {
            let (teapot, server) = try backend.teapot(answering: ["/tea": ScriptedAnswer(200, [], body)])
            teapot.validate = Self.validate
            teapot.retryPolicy = RetryPolicy(maximumAttempts: 2, baseDelay: .zero)
            let refreshes = Locked<[Teapot.Response?]>([])
            teapot.authenticator = Authenticator(.bearer("old")) { refresh in
                refreshes.withLock { $0.append(refresh.response) }
                return .bearer("new")
            }
            let result = await Result(of: { () throws(TeapotError) in try await teapot.get("tea") })
            #expect(refreshes.withLock { $0.map { $0?.text } } == Array(repeating: body, count: credentials))
            switch result {
            case .success(let response): #expect(body == "tea" && response.text == "tea")
            case .failure(let error):
                #expect(error.attempts == attempts)
                #expect(error.response?.status == 200)
                #expect(error.text == body)
                #expect((error.underlyingError is NotTea) == (body == "coffee"))
                guard body == "coffee" else { break }
                #expect(error.failureReason == "this is coffee")
                #expect(error.description.hasSuffix(": this is coffee."))
            }
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: Backend.scriptable)
    func `a request's own wins, and downloads and streams have none`(_ backend: Backend) async throws {
        let (teapot, server) = try backend.teapot(answering: ["/tea": ScriptedAnswer(200, [], "coffee")])
        teapot.validate = Self.validate
        var request: Teapot.Request = "tea"
        let folder = try TemporaryFolder()
        try await teapot.download(request, to: folder.file("tea"))
        for try await piece in try await teapot.bytes(request) { #expect(piece == Data("coffee".utf8)) }
        request.validate = { _ in }
        #expect(try await teapot.send(request).text == "coffee")
        let error = await thrown { () throws(TeapotError) in try await teapot.get("tea") }
        #expect(error?.type == .decodingFailed)
        withExtendedLifetime((server, folder)) {}
    }
}
