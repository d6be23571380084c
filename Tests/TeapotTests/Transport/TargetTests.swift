import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// The request line, as the server reads it.
@Suite(.inTurn)
struct TargetTests {
    static let paths: [(path: String, target: String)] = [
        ("users", "/v1/users"),
        ("/users", "/v1/users"),
        ("users?q=a%26b&x", "/v1/users?q=a%26b&x"),
        ("ünï cødé/😀", "/v1/%C3%BCn%C3%AF%20c%C3%B8d%C3%A9/%F0%9F%98%80"),
        ("", "/v1"),
        ("/", "/v1/"),
        ("users/", "/v1/users/"),
        ("a/./b/../c", "/v1/a/c"),
        ("a/%2E%2e/c", "/v1/c"),
        ("documents:search", "/v1/documents:search"),
        ("a//b", "/v1/a//b"),
        ("tags/c%23?x=%2B+%3B", "/v1/tags/c%23?x=%2B+%3B"),
        ("a?x[]=1|2", "/v1/a?x%5B%5D=1%7C2"),
        ("a#fragment?x", "/v1/a"),
        ("a?q=/../..", "/v1/a?q=/../.."),
        ("%2F", "/v1/%2F"),
    ]

    @Test func `the server sees exactly the right target`() async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL.appending(path: "v1"))
        for (path, target) in Self.paths {
            let result = await result { teapot.get(path, deliveryQueue: .global(), completion: $0) }
            #expect(result.error?.type == .invalidResponseStatus, "\(path)")
            #expect(server.requests.last?.target == target)
        }
        #expect(server.requests.count == Self.paths.count)
    }

    @Test func `the base URL's query is kept, and absolute links of the same origin work`() async throws {
        let server = try LoopbackServer()
        let base = server.baseURL.absoluteString
        let teapot = Teapot(baseURL: try #require(URL(string: base + "/v1/?key=a%20b")))
        for (path, target) in [
            ("", "/v1/?key=a%20b"), ("users?page=2", "/v1/users?key=a%20b&page=2"),
            (base + "/v1/users?page=3", "/v1/users?page=3"), (base.uppercased() + "/other", "/other"),
        ] {
            _ = await result { teapot.get(path, deliveryQueue: .global(), completion: $0) }
            #expect(server.requests.last?.target == target)
        }
    }

    @Test func `user information of the base URL becomes a header field`() async throws {
        let server = try LoopbackServer()
        let url = try #require(URL(string: "http://us%20er:pa%3Ass@127.0.0.1:\(server.port)"))
        let teapot = Teapot(baseURL: url)
        let result = await result { teapot.get("headers", deliveryQueue: .global(), completion: $0) }
        #expect(server.requests.last?.header("Authorization") == "Basic dXMgZXI6cGE6c3M=")
        #expect(result.response.url?.absoluteString == "http://127.0.0.1:\(server.port)/headers")
    }

    @Test func `a request that is refused before sending does not reach the server`() async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        for fields in [["X-A": "1\r\nX-B: 2"], ["X A": "1"], ["Host\0": "x"]] {
            let result = await result {
                teapot.get("get", headerFields: fields, deliveryQueue: .global(), completion: $0)
            }
            #expect(result.error?.type == .invalidHeaderField)
        }
        let payload: [String: Any] = ["at": Date()]
        let refused = await result {
            teapot.post("post", parameters: payload, deliveryQueue: .global(), completion: $0)
        }
        #expect(refused.error?.type == .invalidPayload)
        _ = await result { teapot.get("get", deliveryQueue: .global(), completion: $0) }
        #expect(server.requests.map(\.target) == ["/get"])
    }
}
