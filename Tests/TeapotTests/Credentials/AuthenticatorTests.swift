import Foundation
@testable import Teapot
import TestSupport
import TestTraits
import Testing

/// An authenticator with a transport that accepts one token at a time.
@Suite(.inTurn)
struct AuthenticatorTests {
    private struct Reason: Error {}

    private let queue = MarkedQueue("delivery")
    /// The value of `Authorization` that the server accepts.
    private let accepted = Locked<String?>("Bearer 1")
    private let transport: ManualTransport
    private let teapot: Teapot

    init() throws {
        transport = ManualTransport { [accepted] hop in
            let isAccepted = hop.request.value(forHTTPHeaderField: "Authorization") == accepted.withLock { $0 }
            hop.answer(isAccepted ? 200 : 401, body: "{}")
        }
        let url = try #require(URL(string: "http://api.example/v1"))
        teapot = Teapot(baseURL: url, defaultDeliveryQueue: queue.queue, transport: transport)
    }

    private func tokens(_ transport: ManualTransport? = nil) -> [String?] {
        (transport ?? self.transport).hops.map { $0.request.value(forHTTPHeaderField: "Authorization") }
    }

    /// A plugin that waits for a call while it prepares a request: the credentials of a refresh are none of that request.
    @Test func `the credentials that a refresh uses are not those of a request that is being prepared`() async throws {
        let inUse = Locked<[Credential]>([])
        let url = try #require(URL(string: "http://api.example"))
        let teapot = Teapot(baseURL: url, transport: ManualTransport { $0.answer(200) })
        teapot.authenticator = Authenticator { _ in
            var request = URLRequest(url: url)
            try Credential.bearer("other").prepare(&request)
            return .bearer("1")
        }
        _ = try await Credential.$inUse.withValue(inUse) { try await teapot.get("a") }
        #expect(inUse.withLock { $0.isEmpty })
    }

    // MARK: - Refreshing

    @Test func `a key may use the authenticator when it is released`() async throws {
        /// What a signature captures.
        final class Key: Sendable {
            let authenticator: Locked<Authenticator?>
            init(_ authenticator: Locked<Authenticator?>) { self.authenticator = authenticator }
            deinit { _ = authenticator.withLock { $0 }?.refreshCount }
        }
        let (box, count) = (Locked<Authenticator?>(nil), Locked(0))
        box.withLock {
            $0 = Authenticator { _ in
                let key = Key(box)
                count.withLock { $0 += 1 }
                return .signing { request, _ in
                    withExtendedLifetime(key) { request.setValue("signed", forHTTPHeaderField: "Authorization") }
                }
            }
        }
        defer { box.withLock { $0 = nil } }
        teapot.authenticator = box.withLock { $0 }
        // Each call gets credentials that are rejected, and so replace earlier ones.
        for _ in 0..<3 {
            _ = await thrown { () throws(TeapotError) in
                try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
            }
        }
        #expect(count.withLock { $0 } > 2)
    }

    @Test func `a request is sent again with its body, whatever its method`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("tea", to: "body")
        let bodies = Locked<[Data?]>([])
        let transport = ManualTransport { [accepted] hop in
            // A temporary file is there while it is sent.
            let body = hop.bodyFile.map { try? Data(contentsOf: $0) } ?? hop.request.httpBody
            bodies.withLock { $0.append(body) }
            let isAccepted = hop.request.value(forHTTPHeaderField: "Authorization") == accepted.withLock { $0 }
            hop.answer(isAccepted ? 200 : 401)
        }
        let teapot = Teapot(baseURL: teapot.baseURL, transport: transport)
        let issuer = TokenIssuer()
        teapot.authenticator = issuer.authenticator(.bearer("0"))
        var form = MultipartFormData()
        form.append(file: folder.file("body"), name: "tea")
        let body = try form.body()
        let file = body.file
        try await teapot.send(
            Teapot.Request("TEA", path: "a", body: body).with {
                $0.timeoutInterval = .infinity; $0.isIdempotent = false
            }
        )
        let sent = bodies.withLock { $0 }
        #expect(sent.count == 2)
        #expect(sent.first == sent.last)
        #expect(sent.first??.range(of: Data("tea".utf8)) != nil)
        #expect(transport.hops.map(\.request.httpMethod) == ["TEA", "TEA"])
        #expect(transport.hops.map(\.bodyFile) == [file, file])
        #expect(issuer.refreshes.count == 1)
    }

    @Test func `a late 401 of an old token is answered with the current one`() async throws {
        let transport = ManualTransport()
        let teapot = Teapot(baseURL: teapot.baseURL, defaultDeliveryQueue: queue.queue, transport: transport)
        let issuer = TokenIssuer()
        teapot.authenticator = issuer.authenticator(.bearer("0"))
        let completions = Completions()
        teapot.get("late", timeoutInterval: .infinity, completion: completions.take)
        let sent = Signal()
        teapot.plugins = [
            WatchingPlugin(willSend: { if $0.urlRequest.url?.lastPathComponent == "again" { sent.fire() } })
        ]
        teapot.get("first", timeoutInterval: .infinity, completion: completions.take)
        transport.hops.last?.answer(401)
        teapot.get("again", timeoutInterval: .infinity, completion: completions.take)
        await sent.wait()
        #expect(issuer.refreshes.count == 1)
        let count = transport.hops.count
        transport.hops.first?.answer(401)
        #expect(transport.hops.count == count + 1)
        #expect(transport.hops.last?.request.url?.lastPathComponent == "late")
        #expect(tokens(transport).last == "Bearer 1")
        #expect(issuer.refreshes.count == 1)
        for hop in transport.hops { hop.answer(200) }
    }

    // MARK: - A refresh that fails

    static let failures: [(error: any Error & Sendable, type: TeapotError.ErrorType)] = [
        (TeapotError(type: .noResponse, description: "own"), .noResponse), (Reason(), .preparationFailed),
        (CancellationError(), .cancelled), (TeapotError(type: .cancelled, description: "own"), .cancelled),
    ]

    @Test(arguments: brief(failures.indices) { "\(failures[$0].error)" }, [true, false])
    func `a refresh that fails fails the call, and the next call tries again`(row: Brief<Int>, hasToken: Bool)
        async throws
    {
        let issuer = TokenIssuer()
        let (cause, expected) = Self.failures[row.value]
        issuer.error = cause
        teapot.authenticator = issuer.authenticator(hasToken ? .bearer("0") : nil)
        let error = try #require(
            await thrown { () throws(TeapotError) in
                try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
            }
        )
        #expect(error.type == expected)
        if cause is TeapotError {
            #expect(error.description == "own")
        } else {
            #expect(type(of: try #require(error.underlyingError)) == type(of: cause))
        }
        #expect(tokens() == (hasToken ? ["Bearer 0"] : []))
        issuer.error = nil
        accepted.withLock { $0 = "Bearer 2" }
        try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
        #expect(issuer.refreshes.count == 2)
        #expect(tokens().last == "Bearer 2")
    }

    @Test func `a failed refresh fails all calls with the same credential`() async throws {
        let transport = ManualTransport()
        let teapot = Teapot(baseURL: teapot.baseURL, defaultDeliveryQueue: queue.queue, transport: transport)
        let issuer = TokenIssuer()
        issuer.error = URLError(.userAuthenticationRequired)
        teapot.authenticator = issuer.authenticator(.bearer("0"))
        let completions = Completions()
        for path in ["a", "b", "c"] { teapot.get(path, timeoutInterval: .infinity, completion: completions.take) }
        for hop in transport.hops {
            // One after the other, long after the refresh of the first has failed.
            let count = completions.count
            hop.answer(401)
            await eventually { completions.count > count }
        }
        #expect(issuer.refreshes == [.bearer("0")])
        #expect(completions.all.map { $0.error?.type } == Array(repeating: .preparationFailed, count: 3))
        #expect(Set(completions.all.map { $0.error?.description }).count == 1)

        issuer.error = nil
        teapot.get("d", timeoutInterval: .infinity, completion: completions.take)
        await eventually { transport.hops.count >= 4 }
        #expect(tokens(transport).last == "Bearer 2")
        #expect(issuer.refreshes == [.bearer("0"), .bearer("0")])
    }

    @Test func `a credential that cannot be sent fails the call`() async throws {
        for credential in [Credential.bearer("a\r\nX: y"), .basic(username: "a:b", password: "")] {
            teapot.authenticator = Authenticator { _ in credential }
            let error = await thrown { () throws(TeapotError) in
                try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
            }
            #expect(error?.type == .invalidHeaderField)
        }
        #expect(transport.hops.isEmpty)
    }

    // MARK: - Whose 401 it is

    @Test func `a request that has a credential of its own needs none`() async throws {
        let issuer = TokenIssuer()
        teapot.authenticator = issuer.authenticator()
        try await teapot.send(
            Teapot.Request(path: "a", headerFields: ["Authorization": "Bearer 1"]).with {
                $0.timeoutInterval = .infinity
            }
        )
        #expect(issuer.refreshes.isEmpty)
        // Nobody waits for a refresh that may wait for this request: the login itself, with a wrong password.
        let error = await thrown { () throws(TeapotError) in
            try await teapot.get("a", headerFields: ["authorization": "Basic wrong"])
        }
        #expect(error?.responseStatus == 401)
        #expect(issuer.refreshes.isEmpty)
        #expect(tokens() == ["Bearer 1", "Basic wrong"])
    }

    @Test func `the credential may be another header field`() async throws {
        let transport = ManualTransport { hop in
            hop.answer(hop.request.value(forHTTPHeaderField: "X-API-Key") == "1" ? 200 : 401)
        }
        let teapot = Teapot(baseURL: teapot.baseURL, transport: transport)
        teapot.authenticator = Authenticator(Credential(headerField: "X-API-Key", value: "0")) { refresh in
            #expect(refresh.stale == Credential(headerField: "X-API-Key", value: "0"))
            return Credential(headerField: "X-API-Key", value: "1")
        }
        try await teapot.send(
            Teapot.Request(path: "a", headerFields: ["Authorization": "Bearer own"]).with {
                $0.timeoutInterval = .infinity
            }
        )
        #expect(transport.hops.map { $0.request.value(forHTTPHeaderField: "X-API-Key") } == ["0", "1"])
        #expect(tokens(transport) == ["Bearer own", "Bearer own"])
        let error = await thrown { () throws(TeapotError) in
            try await teapot.send(
                Teapot.Request(path: "a", headerFields: ["x-api-key": "own"]).with { $0.timeoutInterval = .infinity }
            )
        }
        #expect(error?.responseStatus == 401)
        #expect(transport.hops.count == 3)
    }

    @Test func `the 401 of a request to which a plugin gave another credential is final`() async throws {
        let issuer = TokenIssuer()
        teapot.authenticator = issuer.authenticator(.bearer("0"))
        teapot.plugins = [WatchingPlugin { $0.setValue("Bearer other", forHTTPHeaderField: "Authorization") }]
        let error = await thrown { () throws(TeapotError) in
            try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
        }
        #expect(error?.responseStatus == 401)
        #expect(tokens() == ["Bearer other"])
        #expect(issuer.refreshes.isEmpty)
    }

    @Test func `a plugin that changes the origin drops the credential`() async throws {
        let issuer = TokenIssuer()
        teapot.authenticator = issuer.authenticator(.bearer("0"))
        teapot.plugins = [WatchingPlugin(prepare: { $0.url = URL(string: "http://other.example/") })]
        let error = await thrown { () throws(TeapotError) in
            try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
        }
        #expect(error?.responseStatus == 401)
        #expect(tokens() == [nil])
        #expect(issuer.refreshes.isEmpty)
    }

    // MARK: - Redirects

    /// Of an authenticator or a plugin; the second name is no secret by itself.
    @Test(arguments: ["Authorization", "X-Tea"], [true, false])
    func `another origin gets no credential, and its 401 is final`(name: String, isPlugin: Bool) async throws {
        let transport = ManualTransport { hop in
            switch hop.request.url?.host() {
            case "other.example": hop.answer(401)
            default: hop.answer(307, headers: ["Location": "http://other.example/a"])
            }
        }
        let teapot = Teapot(baseURL: teapot.baseURL, transport: transport)
        let (issuer, credential) = (TokenIssuer(), Credential(headerField: name, value: "0"))
        if isPlugin { teapot.plugins = [credential] } else { teapot.authenticator = issuer.authenticator(credential) }
        let error = await thrown { () throws(TeapotError) in
            try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
        }
        #expect(error?.responseStatus == 401)
        #expect(transport.hops.map { $0.request.value(forHTTPHeaderField: name) } == ["0", nil])
        #expect(issuer.refreshes.isEmpty)
    }

    @Test func `a POST that led to a GET is not sent again, whatever the new credential is`() async throws {
        let transport = ManualTransport { hop in
            if hop.request.httpMethod == "POST" { return hop.answer(303, headers: ["Location": "/v1/order"]) }
            hop.answer(hop.request.value(forHTTPHeaderField: "Authorization") == "Bearer 0" ? 401 : 200)
        }
        let teapot = Teapot(baseURL: teapot.baseURL, transport: transport)
        // Of its field the caller has one already.
        teapot.authenticator = Authenticator(.bearer("0")) { _ in Credential(headerField: "X-API-Key", value: "1") }
        let request = Teapot.Request(.post, path: "orders", headerFields: ["X-API-Key": "own"]).with {
            $0.timeoutInterval = .infinity
        }
        try await teapot.send(request)
        #expect(transport.hops.map { $0.request.httpMethod } == ["POST", "GET", "GET"])
        #expect(transport.hops.map { $0.request.value(forHTTPHeaderField: "X-API-Key") } == ["own", "own", "own"])
    }

    /// The redirect is rejected, and then leads to another origin.
    @Test(arguments: ["X-Session", "Authorization"])
    func `after a redirect, a credential that was lacking is added, but replaces nothing`(name: String) async throws {
        let transport = ManualTransport { hop in
            let isKnown = hop.request.value(forHTTPHeaderField: "X-Session") != nil
            switch hop.request.url?.path() {
            case "/v1/a": hop.answer(307, headers: ["Location": "/b"])
            case "/b" where isKnown: hop.answer(307, headers: ["Location": "http://other.example/c"])
            default: hop.answer(401)
            }
        }
        let teapot = Teapot(baseURL: teapot.baseURL, transport: transport)
        teapot.headerFields = ["Authorization": "Basic own"]
        teapot.authenticator = Authenticator { _ in Credential(headerField: name, value: "new") }
        teapot.authenticator?.isPreemptive = false
        let error = await thrown { () throws(TeapotError) in
            try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
        }
        #expect(error?.responseStatus == 401)
        let isAdded = name == "X-Session"
        #expect(tokens(transport) == ["Basic own", "Basic own"] + (isAdded ? ["Basic own", nil] : []))
        let sessions = transport.hops.map { $0.request.value(forHTTPHeaderField: "X-Session") }
        #expect(sessions == [nil, nil] + (isAdded ? ["new", nil] : []))
    }

    // MARK: - The refresh's own requests

    @Test func `the refresh sends through the same Teapot, without a credential`() async throws {
        let teapot = teapot
        accepted.withLock { $0 = "Bearer new" }
        let transport = ManualTransport { hop in
            let token = hop.request.value(forHTTPHeaderField: "Authorization")
            switch hop.request.url?.lastPathComponent {
            case "token": hop.answer(token == nil ? 200 : 400, body: #"{"access": "new"}"#)
            case "old": hop.answer(302, headers: ["Location": "token"])
            default: hop.answer(token == "Bearer new" ? 200 : 401)
            }
        }
        let own = Teapot(baseURL: teapot.baseURL, defaultDeliveryQueue: queue.queue, transport: transport)
        let count = Locked(0)
        own.authenticator = Authenticator(.bearer("0")) { _ in
            count.withLock { $0 += 1 }
            let token = try await own.send(
                Teapot.Request(.post, path: "token").with { $0.timeoutInterval = .infinity },
                as: [String: String].self
            )
            let again = await result { own.get("old", timeoutInterval: .infinity, completion: $0) }
            async let child = own.send(
                Teapot.Request(path: "token").with { $0.timeoutInterval = .infinity },
                as: [String: String].self
            )
            #expect(try await child == token)
            #expect(again.text("access") == "new")
            return .bearer(token["access"] ?? "")
        }
        try await own.send(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
        #expect(count.withLock { $0 } == 1)
        #expect(tokens(transport) == ["Bearer 0", nil, nil, nil, nil, "Bearer new"])
        own.authenticator = nil
    }

    /// A task that outlives the refresh no longer belongs to it.
    @Test func `a call that the refresh began and did not await gets a credential`() async throws {
        let teapot = teapot
        let end = Signal()
        let left = Locked<Task<Teapot.Response, any Error>?>(nil)
        teapot.authenticator = Authenticator(.bearer("0")) { _ in
            left.withLock { left in
                left = Task {
                    await end.wait()
                    return try await teapot.send(Teapot.Request(path: "left").with { $0.timeoutInterval = .infinity })
                }
            }
            return .bearer("1")
        }
        try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
        end.fire()
        _ = try await left.withLock { $0 }?.value
        #expect(tokens() == ["Bearer 0", "Bearer 1", "Bearer 1"])
        teapot.authenticator = nil
    }

    @Test(arguments: CallShape.all)
    func `calls of every shape are sent again`(shape: CallShape) async throws {
        let issuer = TokenIssuer()
        teapot.authenticator = issuer.authenticator(.bearer("0"))
        _ = await shape.outcome(of: "a", from: teapot, in: try TemporaryFolder())
        #expect(tokens() == ["Bearer 0", "Bearer 1"])
        #expect(transport.hops.map(\.request.httpMethod) == [shape.method.rawValue, shape.method.rawValue])
        #expect(issuer.refreshes.count == 1)
    }
}
