@testable internal import Teapot
import TestTraits
import Testing

/// The `URLRequest` that a transport gets. The method that makes it is not public, hence `@testable`.
@Suite(.inTurn)
struct TeapotURLRequestTests {
    private func urlRequest(
        for request: Teapot.Request,
        baseURL: String = "http://h/v1",
        configured: [AnyHashable: Any]? = nil
    ) throws -> URLRequest {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = configured
        let teapot = try Teapot(baseURL: #require(URL(string: baseURL)), configuration: configuration)
        return try teapot.urlRequest(for: request, teapot.currentContext).urlRequest
    }

    private func error(
        for request: Teapot.Request,
        baseURL: String = "http://h/v1",
        configured: [AnyHashable: Any]? = nil
    ) throws -> TeapotError {
        let error = #expect(throws: TeapotError.self) {
            try urlRequest(for: request, baseURL: baseURL, configured: configured)
        }
        return try #require(error)
    }

    // MARK: - Bodies

    @Test(arguments: ["Content-Type", "content-type", "CONTENT-TYPE"])
    func `keeps the caller's content type`(name: String) throws {
        var request = try Teapot.Request(.post, body: Teapot.Request.Body(.dictionary([:])))
        #expect(
            try urlRequest(for: request, configured: [name: "text/x"]).value(forHTTPHeaderField: "Content-Type")
                == "text/x"
        )
        request.headerFields = [name: "text/y"]
        let made = try urlRequest(for: request, configured: ["Content-Type": "text/x"])
        #expect(made.value(forHTTPHeaderField: "Content-Type") == "text/y")
        #expect(made.allHTTPHeaderFields?.count == 1)
    }

    /// FoundationNetworking takes `get` for `GET`.
    @Test(arguments: ["GET", "HEAD", "get", "Head"])
    func `has no body for methods that read`(name: String) throws {
        let method = try #require(Teapot.HTTPMethod(rawValue: name))
        for data in [Data(), Data("{}".utf8)] {
            let error = try error(for: Teapot.Request(method, body: Teapot.Request.Body(data)))
            #expect(error.type == .invalidPayload)
            #expect(error.failureReason == "a \(name) request cannot have a body")
        }
    }

    // MARK: - Header fields

    @Test func `has configured header fields`() throws {
        let configured: [AnyHashable: Any] = [
            "X-Text": "a", "X-Number": 7, "X-Bool": true, "X-URL": URL(fileURLWithPath: "/a"),
        ]
        let made = try urlRequest(for: Teapot.Request(headerFields: ["x-text": "b"]), configured: configured)
        #expect(made.value(forHTTPHeaderField: "X-Text") == "b")
        #expect(made.value(forHTTPHeaderField: "X-Number") == "7")
        #expect(made.value(forHTTPHeaderField: "X-Bool") == "true")
        #expect(made.value(forHTTPHeaderField: "X-URL") == "file:///a")
        #expect(made.allHTTPHeaderFields?.count == 4)
    }

    @Test(arguments: [
        ["X Y": "a"], ["X": "a\r\nY: b"], ["Content-Length": "1"], ["transfer-encoding": "chunked"],
        ["x": "a", "X": "b"],
    ])
    func `refuses bad header fields`(fields: [String: String]) throws {
        #expect(try error(for: Teapot.Request(headerFields: fields)).type == .invalidHeaderField)
        #expect(try error(for: Teapot.Request(), configured: fields).type == .invalidHeaderField)
        #expect(
            try error(for: Teapot.Request(headerFields: ["A": "b"]), configured: fields).type == .invalidHeaderField
        )
    }

    @Test func `treats blanks as an empty value`() throws {
        let request = try urlRequest(for: Teapot.Request(headerFields: ["X-A": " \t ", "X-B": " b "]))
        #expect(request.value(forHTTPHeaderField: "X-A") == "")
        #expect(request.value(forHTTPHeaderField: "X-B") == " b ")
    }

    @Test func `refuses bad configured names`() throws {
        #expect(try error(for: Teapot.Request(), configured: ["": "a"]).type == .invalidHeaderField)
        #expect(try urlRequest(for: Teapot.Request(), configured: [1: "a"]).value(forHTTPHeaderField: "1") == "a")
    }

    // MARK: - User information

    @Test func `has the base URL's user information as authorization`() throws {
        let made = try urlRequest(for: Teapot.Request(path: "x"), baseURL: "http://admin:test123@h/v1")
        #expect(made.url?.absoluteString == "http://h/v1/x")
        #expect(made.value(forHTTPHeaderField: "Authorization") == "Basic YWRtaW46dGVzdDEyMw==")
    }

    @Test(arguments: ["Authorization", "authorization"])
    func `prefers the caller's authorization`(name: String) throws {
        let base = "http://admin:test123@h/v1"
        let configured = try urlRequest(for: Teapot.Request(), baseURL: base, configured: [name: "Bearer x"])
        #expect(configured.value(forHTTPHeaderField: "Authorization") == "Bearer x")
        let own = try urlRequest(for: Teapot.Request(headerFields: [name: "Bearer y"]), baseURL: base)
        #expect(own.value(forHTTPHeaderField: "Authorization") == "Bearer y")
        #expect(own.allHTTPHeaderFields?.count == 1)
    }
}
