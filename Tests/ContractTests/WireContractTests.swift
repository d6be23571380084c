import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

/// The requests that a server receives. The embedded server and a real httpbin echo them in the same format.
@Suite(.inTurn)
struct WireContractTests {
    @Test(arguments: Backend.servers)
    func `a dictionary is sent as JSON`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let result = await result { teapot.post("post", parameters: ["b": [1, 2], "a": "ü"], completion: $0) }
        #expect(result.text("data") == #"{"a":"ü","b":[1,2]}"#)
        #expect(result.text("headers", "Content-Type") == "application/json")
    }

    @Test(arguments: Backend.servers)
    func `an array is sent as JSON`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let result = await result { teapot.put("put", parameters: [["a": 1], ["b": 2]], completion: $0) }
        #expect(result.text("data") == #"[{"a":1},{"b":2}]"#)
        #expect(result.text("headers", "Content-Type") == "application/json")
    }

    @Test(arguments: Backend.servers)
    func `data is sent byte for byte`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let json = Data(#"{ "b" : 1, "a" : 2 }"#.utf8)
        let asJSON = await result { teapot.patch("patch", parameters: .data(json), completion: $0) }
        #expect(asJSON.text("data") == #"{ "b" : 1, "a" : 2 }"#)
        #expect(asJSON.text("headers", "Content-Type") == "application/json")
        let other = await result { teapot.post("post", parameters: .data(Data("a=b&c".utf8)), completion: $0) }
        #expect(other.text("data") == "a=b&c")
        #expect(other.text("headers", "Content-Type") == "application/octet-stream")
    }

    @Test(arguments: Backend.servers)
    func `the caller's Content-Type wins`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let fields = ["content-type": "application/vnd.tea+json"]
        let result = await result { teapot.post("post", parameters: ["a": 1], headerFields: fields, completion: $0) }
        #expect(result.text("headers", "Content-Type") == "application/vnd.tea+json")
        #expect(result.text("data") == #"{"a":1}"#)
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

    @Test(arguments: Backend.available)
    func `a wrong length is refused`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let result = await result {
            teapot.post("post", parameters: ["a": 1], headerFields: ["Content-Length": "8"], completion: $0)
        }
        #expect(result.error?.type == .invalidHeaderField)
        #expect(result.error?.failureReason == "Content-Length is 8, but the body has 7 bytes")
    }

    @Test(arguments: Backend.servers)
    func `delete sends its parameters`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let result = await result { teapot.delete("delete", parameters: ["id": 7], completion: $0) }
        #expect(result.text("data") == #"{"id":7}"#)
    }

    @Test(arguments: Backend.servers)
    func `header fields arrive`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let fields = ["X-Tea": "green, no sugar", "x-lower": "1"]
        let result = await result { teapot.get("headers", headerFields: fields, completion: $0) }
        #expect(result.text("headers", "X-Tea") == "green, no sugar")
        #expect(result.text("headers", "X-Lower") == "1")
    }

    @Test(arguments: Backend.servers)
    func `query items come back as the same text`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let hostile = " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ 😀 ü"
        let request = Teapot.Request(path: "get?first=1", query: [hostile: hostile])
        let outcome = await outcome(of: request, from: teapot)
        let args = try outcome.get().json?.dictionary?["args"] as? [String: String]
        #expect(args == ["first": "1", hostile: hostile])
    }

    @Test(arguments: Backend.servers)
    func `basic authentication logs in`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let fields = teapot.basicAuthenticationHeader(username: "admin", password: "test123")
        let welcome = await result { teapot.get("basic-auth/admin/test123", headerFields: fields, completion: $0) }
        #expect(welcome.dictionary["authenticated"] as? Bool == true)
        let refused = await result { teapot.get("basic-auth/admin/test123", completion: $0) }
        #expect(refused.error?.responseStatus == 401)
        #expect(refused.error?.type == .invalidResponseStatus)
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

    @Test(arguments: Backend.servers)
    func `cookies live with one Teapot`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let set = await result { teapot.get("cookies/set?tea=green", completion: $0) }
        #expect(set.text("cookies", "tea") == "green")
        let again = await result { teapot.get("cookies", completion: $0) }
        #expect(again.text("cookies", "tea") == "green")
        let stranger = try backend.teapot()
        let other = await result { stranger.get("cookies", completion: $0) }
        #expect((other.dictionary["cookies"] as? [String: String])?.isEmpty == true)
    }
}
