import LoopbackServer
import Teapot
import TeapotCache
import TeapotCurl
import TestSupport
import TestTraits
import Testing

/// Calls with a cache in front of each transport, and everything that a client does beside: sign in, try again, follow redirects,
/// keep cookies, and download.
@Suite(.inTurn)
struct CachedCallContractTests {
    /// A cache and a server that counts.
    private final class Trial: Sendable {
        let server: LoopbackServer
        let cache: CachingTransport

        init(
            _ backend: Backend,
            servesOneUser: Bool = false,
            _ answer: @escaping @Sendable (ReceivedRequest) -> ScriptedAnswer
        ) throws {
            server = try LoopbackServer { answer($0).script }
            cache = CachingTransport(
                wrapping: backend.transport,
                servesOneUser: servesOneUser
            )
        }

        /// A client of its own that shares the cache.
        func client(_ credential: Credential? = nil) -> Teapot {
            let teapot = Teapot(baseURL: server.baseURL, transport: cache)
            teapot.timeoutInterval = 60
            if let credential { teapot.plugins = [credential] }
            return teapot
        }

        func received(_ field: String) -> [String?] { server.requests.map { $0.header(field) } }
    }

    /// The notes of the user whose token a request has: `Bearer ada-1` is one of Ada's. The tag is the same for all.
    private static func notes(_ request: ReceivedRequest, control: String = "private, max-age=0") -> ScriptedAnswer {
        let token = request.header("Authorization") ?? request.header("X-Api-Key") ?? "nobody"
        guard !token.hasSuffix("-old") else { return ScriptedAnswer(401) }
        let user = token.split(separator: " ").last?.split(separator: "-").first ?? ""
        let fields = [("Cache-Control", control), ("ETag", "\"1\"")]
        let isKnown = request.header("If-None-Match") == "\"1\""
        return isKnown ? ScriptedAnswer(304, fields) : ScriptedAnswer(200, fields, "notes of \(user)")
    }

    // MARK: - Credentials

    @Test(arguments: Backend.carriers)
    func `what one has signed in for is validated, and nobody else gets it`(_ backend: Backend) async throws {
        let trial = try Trial(backend) { Self.notes($0) }
        let users = [
            ("ada", trial.client(.bearer("ada-1"))), ("bob", trial.client(.bearer("bob-1"))),
            ("nobody", trial.client()), ("eve", trial.client(Credential(headerField: "X-Api-Key", value: "eve-1"))),
        ]
        users[3].1.secretPolicy = .off
        for isFromCache in [false, true] {
            for (name, client) in users {
                let response = try await client.get("notes")
                #expect(response.text == "notes of \(name)")
                #expect(response.isFromCache == isFromCache)
            }
        }
        #expect(trial.received("If-None-Match") == [nil, nil, nil, nil] + Array(repeating: "\"1\"", count: 4))
    }

    @Test(arguments: Backend.carriers)
    func `equal requests of several users at once each get their own response`(_ backend: Backend) async throws {
        let trial = try Trial(backend) { Self.notes($0, control: "max-age=60") }
        let clients = ["ada", "bob", "eve"].map { ($0, trial.client(.bearer("\($0)-1"))) }
        await withTaskGroup { group in
            for number in 0..<60 {
                let (name, client) = clients[number % 3]
                group.addTask {
                    let response = try? await client.get("notes/\(number / 12)")
                    #expect(response?.text == "notes of \(name)")
                }
            }
        }
        // One of each user and path.
        #expect(trial.server.requests.count == 15)
    }

    @Test(arguments: Backend.carriers, [false, true])
    func `a token that was refreshed finds what is stored if there is one user`(_ backend: Backend, _ isOne: Bool)
        async throws
    {
        let tokens = Locked(["ada-2", "ada-1"])
        let current = Locked("Bearer ada-1")
        let trial = try Trial(backend, servesOneUser: isOne) { request in
            let isCurrent = request.header("Authorization") == current.withLock { $0 }
            return isCurrent ? Self.notes(request) : ScriptedAnswer(401)
        }
        let client = trial.client()
        client.authenticator = Authenticator { _ in .bearer(tokens.withLock { $0.removeLast() }) }
        #expect(try await !client.get("notes").isFromCache)
        #expect(try await client.get("notes").isFromCache)
        current.withLock { $0 = "Bearer ada-2" }
        for isFromCache in [isOne, true] {
            let response = try await client.get("notes")
            #expect(response.text == "notes of ada")
            #expect(response.isFromCache == isFromCache)
        }
        #expect(trial.received("If-None-Match") == [nil, "\"1\"", "\"1\"", isOne ? "\"1\"" : nil, "\"1\""])
        // Nobody gets it without a token.
        await #expect(throws: TeapotError.self) { try await trial.client().get("notes") }
    }

    @Test(arguments: Backend.carriers)
    func `what came after a 401 and a refresh is stored for the new credential alone`(_ backend: Backend) async throws {
        let trial = try Trial(backend) { request in
            let isOld = request.header("Authorization")?.hasSuffix("-new") != true
            let field = ("Cache-Control", "max-age=60")
            return isOld ? ScriptedAnswer(401, [field]) : Self.notes(request, control: "private, max-age=60")
        }
        let users = ["ada", "bob"].map { name in
            let client = trial.client()
            client.authenticator = Authenticator(.bearer("\(name)-old")) { _ in .bearer("\(name)-new") }
            return (name, client)
        }
        for isFromCache in [false, true] {
            for (name, client) in users {
                let response = try await client.get("notes")
                #expect(response.text == "notes of \(name)")
                #expect(response.isFromCache == isFromCache)
            }
        }
        let credentials = ["ada-old", "ada-new", "bob-old", "bob-new"].map { "Bearer \($0)" }
        #expect(trial.received("Authorization") == credentials)
        // The credential that was rejected, another one and none get nothing of it.
        for credential in [Credential.bearer("ada-old"), .bearer("eve-old"), nil] {
            let error = await thrown { () throws(TeapotError) in try await trial.client(credential).get("notes") }
            #expect(error?.responseStatus == 401)
        }
    }

    // MARK: - Retries

    @Test(arguments: Backend.carriers)
    func `an attempt after a failure validates what is stored, and its response is stored`(_ backend: Backend)
        async throws
    {
        let count = Locked(0)
        let trial = try Trial(backend) { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number.isMultiple(of: 2) ? Self.notes(request) : ScriptedAnswer(503)
        }
        let client = trial.client(.bearer("ada-1"))
        client.retryPolicy = RetryPolicy(baseDelay: .zero)
        for isFromCache in [false, true] {
            let response = try await client.get("notes")
            #expect(response.text == "notes of ada")
            #expect(response.isFromCache == isFromCache)
        }
        #expect(trial.received("If-None-Match") == [nil, nil, "\"1\"", "\"1\""])
    }

    // MARK: - Redirects

    @Test(arguments: Backend.carriers)
    func `a redirect is stored for the credential that it was for`(_ backend: Backend) async throws {
        let other = try Trial(backend) { Self.notes($0, control: "max-age=60") }
        let url = "\(other.server.baseURL)/notes"
        let trial = try Trial(backend) { request in
            let user = request.header("Authorization") ?? "nobody"
            let location = user == "Bearer ada-1" ? "/ada" : user == "Bearer bob-1" ? url : "/nobody"
            return request.path == "/home"
                ? ScriptedAnswer(301, [("Location", location), ("Cache-Control", "max-age=60")])
                : Self.notes(request, control: "max-age=60")
        }
        for isFromCache in [false, true] {
            for (user, owner) in [("ada", "ada"), ("bob", "nobody")] {
                // The other origin gets no credential.
                let response = try await trial.client(.bearer("\(user)-1")).get("home")
                #expect(response.text == "notes of \(owner)")
                #expect(response.isFromCache == isFromCache)
            }
        }
        #expect(trial.server.requests.map(\.path) == ["/home", "/ada", "/home"])
        #expect(other.server.requests.map(\.path) == ["/notes"])
        #expect(other.received("Authorization") == [nil])
        let direct = Teapot(baseURL: other.server.baseURL, transport: trial.cache)
        direct.plugins = [Credential.bearer("bob-1")]
        #expect(
            try await direct.send(Teapot.Request(path: "notes").with { $0.timeoutInterval = 60 }).text == "notes of bob"
        )
    }

    // MARK: - Cookies

    @Test(arguments: Backend.carriers)
    func `a session that is renewed with each response is cached for itself`(_ backend: Backend) async throws {
        let sessions = Locked(0)
        let trial = try Trial(backend) { request in
            let number = sessions.withLock { sessions in
                if request.header("Cookie") == nil { sessions += 1 }
                return sessions
            }
            let cookie = request.header("Cookie") ?? "session=\(number)"
            let fields = [("Cache-Control", "max-age=60"), ("Set-Cookie", "\(cookie); Path=/; Max-Age=600")]
            return ScriptedAnswer(200, fields, cookie)
        }
        let clients = [trial.client(), trial.client()]
        for isFromCache in [false, false, true] {
            for (number, client) in clients.enumerated() {
                let response = try await client.get("notes")
                #expect(response.text == "session=\(number + 1)")
                #expect(response.isFromCache == isFromCache)
                #expect((response.headerFields["Set-Cookie"] == nil) == isFromCache)
                #expect(client.cookies.all.map(\.value) == ["\(number + 1)"])
            }
        }
        #expect(trial.server.requests.count == 4)
    }

    // MARK: - Downloads

    @Test(arguments: Backend.carriers)
    func `a download is stored, and the next one is a file, too`(_ backend: Backend) async throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "tea and ", count: 20_000)
        let trial = try Trial(backend) { _ in
            ScriptedAnswer(200, [("Cache-Control", "private, max-age=60"), ("ETag", "\"1\"")], text)
        }
        let client = trial.client(.bearer("ada-1"))
        for (number, isFromCache) in [false, true, true].enumerated() {
            let response = try await client.download("tea", to: folder.file("\(number)"))
            #expect(response.isFromCache == isFromCache)
            #expect(try Data(contentsOf: folder.file("\(number)")) == Data(text.utf8))
        }
        #expect(trial.server.requests.count == 1)
        // Another's is not its own.
        #expect(try await !trial.client(.bearer("bob-1")).download("tea", to: folder.file("bob")).isFromCache)
    }
}
