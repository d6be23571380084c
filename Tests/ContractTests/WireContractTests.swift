import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

/// The requests that a server receives. The embedded server and a real httpbin echo them in the same format.
@Suite(.inTurn)
struct WireContractTests {
    /// A closure verb with a body.
    struct Sending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        let type: String
        let call: @Sendable (Teapot, @escaping @Sendable (NetworkResult) -> Void) -> URLSessionTask?
    }

    private static let data = #"{ "b" : 1, "a" : 2 }"#

    static let sendings = [
        Sending(testDescription: "object", body: #"{"a":"ü","b":[1,2]}"#, type: "application/json") {
            $0.post("post", parameters: ["b": [1, 2], "a": "ü"], completion: $1)
        },
        Sending(testDescription: "array", body: #"[{"a":1},{"b":2}]"#, type: "application/json") {
            $0.put("put", parameters: [["a": 1], ["b": 2]], completion: $1)
        },
        Sending(testDescription: "data that is JSON", body: data, type: "application/json") {
            $0.patch("patch", parameters: .data(Data(data.utf8)), completion: $1)
        },
        Sending(testDescription: "other data", body: "a=b&c", type: "application/octet-stream") {
            $0.post("post", parameters: .data(Data("a=b&c".utf8)), completion: $1)
        },
        Sending(testDescription: "delete", body: #"{"id":7}"#, type: "application/json") {
            $0.delete("delete", parameters: ["id": 7], completion: $1)
        },
    ]

    @Test(arguments: Backend.servers, sendings)
    func `a body arrives`(backend: Backend, sending: Sending) async throws {
        let teapot = try backend.teapot()
        let result = await result { sending.call(teapot, $0) }
        #expect(result.text("data") == sending.body)
        #expect(result.text("headers", "Content-Type") == sending.type)
    }

    @Test(arguments: Backend.available, ["Content-Length", "content-length"])
    func `a correct length is sent once`(backend: Backend, name: String) async throws {
        let teapot = try backend.teapot()
        let result = await result {
            teapot.post("post", parameters: ["a": "ü"], headerFields: [name: "10"], completion: $0)
        }
        #expect(result.isSuccess)
        guard backend != .mock else { return }
        #expect(result.text("headers", "Content-Length") == "10")
        #expect(result.text("data") == #"{"a":"ü"}"#)
    }

    /// An encoded dot is a dot for libcurl 8.14, and none for 7.88.
    @Test(arguments: Backend.servers)
    func `a path is sent without dot segments, whoever wrote it`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let base = try backend.baseURL()
        for dots in ["..", "%2e%2e", ".%2E", "%2e."] {
            teapot.baseURL = try #require(URL(string: base.absoluteString + "/v1/\(dots)/anything"))
            for path in ["there", "redirect/\(dots)/there"] {
                let result = await result { teapot.get(path, completion: $0) }
                #expect(Self.path(of: result) == "/anything/there")
            }
            teapot.baseURL = base
            let location = "/v1/\(dots)/anything/\(dots)/anything/there".replacing("%", with: "%25")
            let redirected = await result { teapot.get("redirect-to?url=\(location)", completion: $0) }
            #expect(Self.path(of: redirected) == "/anything/there")
            #expect(redirected.response.url?.path() == "/anything/there")
            let seen = Locked<[String?]>([])
            teapot.plugins = [
                PathPlugin(path: "/anything/\(dots)/anything/there"),
                WatchingPlugin(prepare: { request in
                    let path = request.url?.path(percentEncoded: true)
                    seen.withLock { $0.append(path) }
                }),
            ]
            let rewritten = await result { teapot.get("get", completion: $0) }
            #expect(Self.path(of: rewritten) == "/anything/there")
            #expect(seen.withLock { $0 } == ["/anything/there"])
            teapot.plugins = []
        }
    }

    private static func path(of result: CallResult) -> String? {
        result.text("url").flatMap(URL.init)?.path(percentEncoded: true)
    }

    private struct PathPlugin: Teapot.Plugin {
        let path: String

        func prepare(_ request: inout URLRequest) {
            var components = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
            components?.percentEncodedPath = path
            request.url = components?.url
        }
    }

    @Test(arguments: Backend.servers)
    func `redirects are followed, ten at most`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let ten = await result { teapot.get("redirect/10", completion: $0) }
        #expect(ten.isSuccess)
        #expect(ten.response.url?.path() == "/get")
        let eleven = await result { teapot.get("redirect/11", completion: $0) }
        #expect(eleven.error?.type == .invalidResponseStatus)
        #expect(eleven.error?.responseStatus == 302)
        #expect(eleven.error?.failureReason == "more than 10 redirects")
    }

    @Test(arguments: Backend.servers, [(302, "GET", ""), (303, "GET", ""), (307, "POST", #"{"a":1}"#)])
    func `a POST over a redirect`(backend: Backend, expected: (status: Int, method: String, body: String)) async throws
    {
        let teapot = try backend.teapot()
        let path = "redirect-to?url=/anything/there&status_code=\(expected.status)"
        let result = await result { teapot.post(path, parameters: ["a": 1], completion: $0) }
        #expect(result.isSuccess)
        #expect(result.text("method") == expected.method)
        #expect(result.text("data") == expected.body)
        #expect((result.text("headers", "Content-Type") == nil) == expected.body.isEmpty)
    }
}
