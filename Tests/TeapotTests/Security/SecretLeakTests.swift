import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// A secret in every place that may hold one, through every kind of call and of failure: none of them stands in any text that
/// Teapot writes.
@Suite(.inTurn)
struct SecretLeakTests {
    private let written = WrittenText()

    // MARK: - What holds secrets

    private static let headerFields = [
        "Cookie": "sid=s3cret-cookie", "Proxy-Authorization": "Basic s3cret-proxy", "X-Api-Key": "s3cret-key",
        "X-Auth-Token": "s3cret-token", "X-Tenant": "s3cret-tenant", "CB-ACCESS-SIGN": "s3cret-sign",
        "SIGN": "s3cret-sign-2",
        "X-Link": "<//u:s3cret-link@h/x?page=2;token=s3cret-item>",
    ]
    private static let object = #"""
        {"password":"s3cret-password","user":{"accessToken":"s3cret-nested","tags":[{"otp":"s3cret-otp"}]},
        "x-tenant":"s3cret-wide","self":"http://u:s3cret-self@h/?sig=s3cret-signature"}
        """#
    private static let form =
        "code=s3cret-code&device_code=s3cret-device&client_secret=s3cret-client&a=1;token=s3cret-semicolon&next=//u:s3cret-next@h"
    private static let page = """
        <html><a href="/x?token=s3cret-href">x</a> <input password="s3cret quoted" api_key=s3cret-single>
        </html>
        """

    private static func head(_ status: String, _ fields: String = "") -> String {
        "HTTP/1.1 \(status)\r\nSet-Cookie: sid=s3cret-set; Path=/\r\nX-Session-Id: s3cret-session\r\n"
            + "Link: <http://u:s3cret-next@h/?access_token=s3cret-more&sig=s3cret-sig>; rel=\"next\"\r\nX-Tenant: s3cret-back\r\n"
            + "Connection: close\r\n\(fields)\r\n"
    }

    private static func whole(_ status: String, _ body: String, _ fields: String = "") -> String {
        head(status, fields + "Content-Length: \(body.utf8.count)\r\n") + body
    }

    /// Answers, and the errors that they lead to where a closure call asks for one.
    private static let answers: [(String, TeapotError.ErrorType?)] = [
        (whole("200 OK", object, "Content-Type: application/json\r\n"), nil),
        (whole("200 OK", "[\(object)]"), nil),
        (whole("200 OK", page, "Content-Type: text/html\r\n"), nil), (whole("200 OK", form), nil),
        (whole("401 s3cret-reason", object, "WWW-Authenticate: Basic realm=\"tea\"\r\n"), .invalidResponseStatus),
        (whole("500 No", page), .invalidResponseStatus),
        (whole("302 Found", "", "Location: ftp://u:s3cret-ftp@h/?token=s3cret-location\r\n"), .invalidResponseStatus),
        (whole("302 Found", object, "Location: http://u:s3cret-hop@127.0.0.1:1/?token=s3cret-hop-2\r\n"), .noResponse),
        (whole("302 Found", "", "Location: http://[::1]:1/?token=s3cret-v6\r\n"), .noResponse),
        (head("200 OK", "Content-Length: 9999\r\n") + object, .dataTaskError),
        (head("200 OK", "Content-Length: 9999\r\n") + page, .dataTaskError),
        ("s3cret-garbage token=s3cret-line\r\n\r\n", .noResponse),
        (whole("200 OK", String(repeating: object, count: 20)), .responseTooLarge),
    ]

    // MARK: - Calls

    private struct Note: Codable {
        enum Kind: String, Codable { case note }
        let password: Kind
    }

    private func teapot(_ server: LoopbackServer?) throws -> Teapot {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Session-Token": "s3cret-configured"]
        let url = "http://s3cret-user:s3cret-pass@127.0.0.1:\(server?.port ?? 1)/v1?api_key=s3cret-base"
        let teapot = Teapot(baseURL: try #require(URL(string: url)), configuration: configuration)
        teapot.secretPolicy = .standard.adding(["X-Tenant"])
        teapot.maximumResponseSize = 2_000
        teapot.logger = Logger(level: .incomingAndOutgoingData) { [written] in written.add($0) }
        return teapot
    }

    private func request(_ method: Teapot.HTTPMethod = .post, _ body: Teapot.Request.Body? = nil) -> Teapot.Request {
        Teapot.Request(
            method,
            path: "notes?token=s3cret-query&page=2&next=//u:s3cret-item-2@h/",
            query: ["password": "s3cret-queried"],
            headerFields: Self.headerFields,
            body: body
        ).with { $0.timeoutInterval = 60 }
    }

    private func note(_ error: TeapotError?, decodes: Bool = false) {
        guard let error else { return }
        written.add(error.description, error.failureReason, error.errorDescription, error.localizedDescription)
        written.add(error, Result<Int, TeapotError>.failure(error), [error])
        // Foundation's error about a body quotes it.
        if !decodes { written.add(error.underlyingError) }
    }

    private func callAll(_ teapot: Teapot) async throws -> [TeapotError.ErrorType?] {
        var form = MultipartFormData()
        form.append("s3cret-part", name: "password")
        let bodies = try [
            nil, Teapot.Request.Body(Data(Self.object.utf8)), Teapot.Request.Body(Data(Self.form.utf8)), form.body(),
            Teapot.Request.Body(Data(Self.page.utf8), contentType: "text/html"),
        ]
        var types: [TeapotError.ErrorType?] = []
        for body in bodies {
            let outcome = await outcome(of: request(.post, body), from: teapot)
            written.add(outcome, request(.post, body))
            if case .failure(let error) = outcome { note(error) }
            if case .success(let response) = outcome {
                written.add(response, response.headerFields)
                note(await thrown { () throws(TeapotError) in try response.decode(Note.self) }, decodes: true)
                note(await thrown { () throws(TeapotError) in try response.decode([String: Int].self) }, decodes: true)
            }
            if case .failure(let error) = outcome { types.append(error.type) } else { types.append(nil) }
        }
        return types
    }

    @Test(arguments: brief(answers))
    func `no text contains a secret, whatever the server does`(row: Brief<(String, TeapotError.ErrorType?)>)
        async throws
    {
        let (answer, type) = row.value
        let script = Script([.readRequest, .send(answer)])
        let server = try LoopbackServer(scripts: (0..<20).map { _ in script })
        let teapot = try teapot(server)
        #expect(try await callAll(teapot) == Array(repeating: type, count: 5))

        let results = await withCheckedContinuation { continuation in
            _ = teapot.get(
                "notes?token=s3cret-closure",
                headerFields: Self.headerFields,
                timeoutInterval: 60,
                deliveryQueue: .global()
            ) { (result: NetworkResult) in
                continuation.resume(returning: ["\(result)", String(reflecting: result)])
            }
        }
        written.add(results)
        let images = await withCheckedContinuation { continuation in
            _ = teapot.downloadImage(path: "tea?token=s3cret-image", timeoutInterval: 60, deliveryQueue: .global()) {
                result in
                continuation.resume(returning: ["\(result)", String(reflecting: result)])
            }
        }
        written.add(images)
        let folder = try TemporaryFolder()
        note(
            await thrown { () throws(TeapotError) in
                try await teapot.download(request(.get), to: folder.file("tea"), resumes: true)
            }
        )
        written.add(folder.text("tea.partial.json"))
        do throws(TeapotError) {
            let bytes = try await teapot.bytes(request(.get))
            written.add(bytes)
            for try await _ in bytes {}
        } catch {
            note(error)
        }
        written.expectNone(of: "s3cret", Data("s3cret-user:s3cret-pass".utf8).base64EncodedString())
    }

    @Test func `shows no secret if nothing was sent`() async throws {
        let teapot = try teapot(nil)
        var requests = [request(.get), request(.get, Teapot.Request.Body(Data("s3cret".utf8)))]
        for path in [
            "//u:s3cret@h/x", "http://u:s3cret@127.0.0.1:1/", "../x?token=s3cret", "a%?token=s3cret", "s3cret\0",
        ] {
            requests.append(Teapot.Request(path: Teapot.Path(path)))
        }
        for fields in [
            ["X-Api-Key": "s3cret\r\n"], ["Authorization: Bearer s3cret": "x"], ["X-Token\0s3cret": "x"],
            ["Content-Length": "s3cret"],
        ] {
            requests.append(Teapot.Request(path: "x", headerFields: fields))
        }
        for request in requests {
            note(await thrown { () throws(TeapotError) in try await teapot.send(request) })
            // A path that is not a URL has no names.
            if !request.path.text.contains("\0") { written.add(request) }
            let results = await withCheckedContinuation { continuation in
                _ = teapot.get(request.path.text, headerFields: request.headerFields, deliveryQueue: .global()) {
                    (result: NetworkResult) in
                    guard case .failure(_, let response, _) = result else { return }
                    // The stand-in has the URL that was asked for, or that of the Teapot: not what opens it.
                    let user = response.url.flatMap { $0.user() ?? $0.password() }
                    continuation.resume(returning: ["\(result)", String(reflecting: result), user ?? ""])
                }
            }
            written.add(results)
        }
        for payload in [["password": Date()], ["token": ["a": Double.nan]]] as [[String: Any]] {
            note(await result { teapot.post("x", parameters: payload, deliveryQueue: .global(), completion: $0) }.error)
        }
        teapot.baseURL = try #require(URL(string: "ftp://u:s3cret@h/?token=s3cret"))
        let failed = await result { teapot.get("x", deliveryQueue: .global(), completion: $0) }
        note(failed.error)
        written.add(failed.response.url?.user(), failed.response.url?.password())
        written.expectNone(of: "s3cret")
    }
}

/// Everything that was written, and in what form it was.
private final class WrittenText: Sendable {
    private let texts = Locked<[String]>([])

    func add(_ values: Any?...) {
        for case let value? in values {
            texts.withLock { $0 += ["\(value)", String(reflecting: value)] }
        }
    }

    func expectNone(of secrets: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        let texts = texts.withLock { $0 }
        #expect(!texts.isEmpty, sourceLocation: sourceLocation)
        for secret in secrets {
            let leaks = Set(texts.flatMap { $0.split(separator: "\n") }.filter { $0.contains(secret) })
            #expect(leaks.isEmpty, sourceLocation: sourceLocation)
        }
    }
}
