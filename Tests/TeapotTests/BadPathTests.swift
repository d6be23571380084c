import Teapot
import TestSupport
import TestTraits
import Testing

/// Paths that lead nowhere, all the way through a verb.
@Suite(.inTurn)
struct BadPathTests {
    static let paths = [
        // Another origin.
        "http://evil.example/v1/users", "https://api.example/v1/users", "http://api.example:81/v1/users",
        "http://api.example.evil.example/", "http://api.example@evil.example/", "http://user:pass@api.example/v1",
        "http://evil.example\\@api.example/", "http://api.exampl%65/", "ftp://api.example/v1", "file:///etc/passwd",
        "http:users", "https:users", "http:", "http://", "http:///users", "HTTP://EVIL.EXAMPLE/",
        // Another host.
        "//evil.example/users", "//", "///users",
        // Control characters.
        "a\nb", "a\r\nHost: evil.example", "a\tb", "a\0b", "\u{7F}", "a\u{85}b", "users?q=a\nb",
        // Escapes.
        "%", "a%", "a%2", "a%zz", "users?q=100%", "%u0041", "a%%20",
        // Climbing.
        "..", "../users", "/../users", "a/../../users", "%2e%2e/users", "%2E./users", ".%2e/users", "a/%2E%2E/../x",
        "..%2fusers", "..%5Cusers", "a/..%2f..%2fusers", "..\\users", "./../users", "http://api.example/v1/../../x",
        // An encoded NUL.
        "%00", "users%00.json", "..%00/users", "a/%00/b?q=1", "http://api.example/v1/users%00",
    ]

    @Test(arguments: brief(paths))
    func `an invalid path is refused`(_ argument: Brief<String>) async throws {
        let path = argument.value
        let transport = ManualTransport()
        let marked = MarkedQueue()
        let teapot = Teapot(
            baseURL: try #require(URL(string: "http://api.example/v1")),
            defaultDeliveryQueue: marked.queue,
            transport: transport
        )
        let completions = Completions()
        let isOnQueue = await withCheckedContinuation { continuation in
            let task = teapot.get(path) { (result: NetworkResult) in
                completions.take(result)
                continuation.resume(returning: marked.isCurrent)
            }
            #expect(task == nil)
        }
        // Whatever else was queued has been delivered by then.
        await marked.queue.drain()
        #expect(isOnQueue)
        #expect(completions.all.map(\.error?.type) == [.invalidRequestPath])
        #expect(completions.all.first?.error?.failureReason != nil)
        #expect(completions.all.first?.response.status == 400)
        #expect(transport.hops.isEmpty)
    }

    /// What they decode to is the server's business: see "Encode user input in paths" in Security.
    @Test(arguments: ["users?q=%00", "users#%00", "%252e%252e/users", "%2500"])
    func `an escape that a path may contain is sent unchanged`(path: String) throws {
        let transport = ManualTransport()
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example/v1")), transport: transport)
        teapot.get(path) { (_: NetworkResult) in }
        #expect(transport.hops.map { $0.request.url?.absoluteString } == ["http://api.example/v1/\(path)"])
    }

    @Test func `a redirect to a path with an encoded NUL is followed`() throws {
        let transport = ManualTransport()
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example/v1")), transport: transport)
        teapot.get("users") { (_: NetworkResult) in }
        try #require(transport.hops.first).answer(302, headers: ["Location": "/v2/%00"])
        #expect(transport.hops.map { $0.request.url?.path(percentEncoded: true) } == ["/v1/users", "/v2/%00"])
    }

    @Test(arguments: [
        "file:///v1", "ftp://h/", "data:,x", "/v1", "http:///v1", "mailto:a@b", "http://h:0/", "http://h:65536/",
    ])
    func `an invalid base URL is refused`(url: String) async throws {
        let transport = ManualTransport()
        let teapot = Teapot(baseURL: try #require(URL(string: url)), transport: transport)
        let result = await result { teapot.get("users", deliveryQueue: .global(), completion: $0) }
        #expect(result.error?.type == .invalidRequestPath)
        #expect(transport.hops.isEmpty)
        teapot.baseURL = try #require(URL(string: "http://api.example"))
        teapot.get("users") { (_: NetworkResult) in }
        #expect(transport.hops.map { $0.request.url?.absoluteString } == ["http://api.example/users"])
    }
}
