import LoopbackServer
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Answers of a mock beside those of a server: the client must not see a difference.
@Suite(.inTurn)
struct MockFeatureContractTests {
    /// A client for a server, or for a mock that is told what to answer.
    private func teapot(_ backend: Backend, _ declare: (MockTeapot) throws -> Void) throws -> Teapot {
        guard backend == .mock else { return try backend.teapot() }
        let mock = MockTeapot(strictIn: .module, clock: ImmediateClock())
        try declare(mock)
        return mock
    }

    // MARK: - Responses

    @Test(
        arguments: Backend.available,
        [200, 201, 202, 204, 304, 400, 401, 403, 404, 409, 418, 422, 429, 500, 502, 503, 504]
    )
    func `a status`(backend: Backend, status: Int) async throws {
        let teapot = try teapot(backend) { mock in
            try mock.overrideEndPoint("status/:code") { request in
                .status(MockTeapot.StatusCode(rawValue: request.pathParameters["code"].flatMap(Int.init) ?? 0))
            }
        }
        let isSuccess = (200...299).contains(status)
        let outcome = await result { teapot.get("status/\(status)", timeoutInterval: 60, completion: $0) }
        #expect(outcome.response.status == status)
        #expect(outcome.isSuccess == isSuccess)
        #expect(outcome.error?.type == (isSuccess ? nil : .invalidResponseStatus))
        #expect(outcome.error?.responseStatus == (isSuccess ? nil : status))
        #expect(outcome.error?.response?.status == (isSuccess ? nil : status))
    }

    // MARK: - Queries

    /// The rule is that of servers: a mock reads a query as they do.
    @Test(arguments: Backend.available)
    func `a plus sign in a query`(backend: Backend) async throws {
        let teapot = try teapot(backend) { mock in
            try mock.overrideEndPoint("get") { request in
                try .json([
                    "args": Dictionary(request.query.items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
                ])
            }
        }
        for path in ["get?q=a+b%2Bc&d+e=%20", "get?q=a%20b%2Bc&d%20e=+"] {
            let arguments = try await teapot.get(Teapot.Path(path)).json?.dictionary?["args"]
            #expect(arguments as? [String: String] == ["q": "a b+c", "d e": " "])
        }
        let arguments = try await teapot.get("get", query: ["q": "a b+c", "d e": " "]).json?.dictionary?["args"]
        #expect(arguments as? [String: String] == ["q": "a b+c", "d e": " "])
    }

    // MARK: - Errors

    @Test(arguments: Backend.available)
    func `a response that breaks off`(backend: Backend) async throws {
        let head = "HTTP/1.1 201 Created\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n"
        let server = try LoopbackServer(scripts: [Script([.readRequest, .send(head + "tea")])])
        let teapot = try teapot(backend) { mock in
            let response = MockResponse.data(
                Data("tea".utf8),
                contentType: "text/plain",
                status: .created,
                headerFields: ["Content-Length": "9"]
            )
            try mock.overrideEndPoint("get", with: response.breakingOff())
        }
        if backend != .mock { teapot.baseURL = server.baseURL }
        let error = await thrown { () throws(TeapotError) in
            try await teapot.send(Teapot.Request(path: "get").with { $0.timeoutInterval = 60 })
        }
        #expect(error?.type == .dataTaskError)
        #expect(error?.responseStatus == 201)
        #expect(error?.data == Data("tea".utf8))
        #expect(error?.code == .networkConnectionLost)
    }

    @Test(arguments: Backend.available)
    func `a body in pieces that does not end`(backend: Backend) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
        let pieces = ["one\ntw", "o\nthree"]
        let server = try LoopbackServer(scripts: [
            Script([.readRequest, .send(head + pieces[0]), .waitForRelease, .send(pieces[1]), .stall])
        ])
        let teapot = try teapot(backend) { mock in
            let response = MockResponse.pieces(pieces, every: .milliseconds(10), contentType: "text/plain")
            try mock.overrideEndPoint("get", with: response.neverEnding())
        }
        if backend != .mock { teapot.baseURL = server.baseURL }
        let lines = try await teapot.bytes(Teapot.Request(path: "get").with { $0.timeoutInterval = .infinity }).lines
        var read: [String] = []
        for try await line in lines {
            read.append(line)
            server.release()
            // It has no end.
            if read.count == 2 { break }
        }
        #expect(read == ["one", "two"])
    }

    // MARK: - Delays

    @Test(arguments: Backend.available)
    func `a response that is too late`(backend: Backend) async throws {
        let teapot = try teapot(backend) { mock in
            try mock.overrideEndPoint("delay/:seconds", with: .json(["url": "x"]).delayed(by: .seconds(10)))
        }
        let error = await thrown { () throws(TeapotError) in
            try await teapot.send(Teapot.Request(path: "delay/10").with { $0.timeoutInterval = 0.3 })
        }
        #expect(error?.type == .noResponse)
        #expect(error?.response == nil)
        #expect(error?.code == .timedOut)
        #expect(error?.failureReason == "there was no progress for 0.3 seconds")
    }

    // MARK: - Redirects and cookies

    @Test(arguments: Backend.available)
    func `cookies`(backend: Backend) async throws {
        let teapot = try teapot(backend) { mock in
            let fields = ["Location": "/cookies", "Set-Cookie": "kind=green; Path=/"]
            try mock.overrideEndPoint("cookies/set", with: .status(302, headerFields: fields))
            try mock.overrideEndPoint(
                "cookies",
                headerFields: ["Cookie": "kind=green"],
                with: .json(["cookies": ["kind": "green"]])
            )
        }
        for path in ["cookies/set?kind=green", "cookies"] {
            let response = try await teapot.send(
                Teapot.Request(path: Teapot.Path(path)).with { $0.timeoutInterval = 60 }
            )
            #expect(response.json?.dictionary?["cookies"] as? [String: String] == ["kind": "green"])
        }
    }

    // MARK: - Requests

    /// A mock records the same requests that a server receives.
    @Test func `requests equal those on the wire`() async throws {
        let server = try LoopbackServer()
        let mock = MockTeapot(bundle: .module)
        mock.baseURL = server.baseURL.appending(path: "anything/")
        let teapot = Teapot(baseURL: mock.baseURL)
        let form = Teapot.Request.Body(Data("a=1&b=2".utf8), contentType: "application/x-www-form-urlencoded")
        let requests = [
            Teapot.Request(path: "tea?kind=green%20tea"),
            Teapot.Request(path: "ünï/a%2Fb", query: ["q": "a&b=c+d"]),
            Teapot.Request(.post, path: "notes", body: .json(["title": "tea"])),
            Teapot.Request(.put, path: "notes/1", headerFields: ["X-Tea": "green", "x-lower": ""], body: form),
            Teapot.Request(.delete, path: "notes/1"),
            Teapot.Request(.head, path: "notes"),
            Teapot.Request(.patch, path: "bytes", body: Teapot.Request.Body(Data((0...255).map { UInt8($0) }))),
        ]
        for request in requests {
            for client in [teapot, mock] { try await client.send(request) }
        }
        #expect(mock.requests.count == requests.count)
        for (recorded, received) in zip(mock.requests, server.requests) {
            #expect(recorded.method.rawValue == received.method)
            #expect(recorded.url.absoluteString.hasSuffix(received.target))
            #expect(recorded.body == received.body)
            for (name, value) in recorded.headerFields { #expect(received.header(name) == value) }
        }
    }
}
