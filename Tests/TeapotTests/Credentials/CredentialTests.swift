import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct CredentialTests {
    private func request(_ fields: [String: String] = [:]) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "http://h/x")))
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    @Test(
        arguments: [
            (Credential.bearer("t0ken"), "Authorization", "Bearer t0ken"),
            // Not in the grammar of RFC 6750, but in use.
            (.bearer("1|t0ken:ü"), "Authorization", "Bearer 1|t0ken:ü"),
            (.basic(username: "admin", password: "test123"), "Authorization", "Basic YWRtaW46dGVzdDEyMw=="),
            (.basic(username: "", password: "a:b"), "Authorization", "Basic OmE6Yg=="),
            (Credential(headerField: "X-API-Key", value: "k 1"), "X-API-Key", "k 1"),
        ] as [(Credential, String, String)]
    )
    func `sets its header field`(credential: Credential, name: String, value: String) throws {
        var request = try request(["Accept": "*/*"])
        try credential.prepare(&request)
        #expect(request.allHTTPHeaderFields?.count == 2)
        #expect(request.value(forHTTPHeaderField: name) == value)
    }

    @Test(arguments: ["X-Api-Key", "x-api-key"], ["own", ""])
    func `leaves the field that a request has`(name: String, value: String) throws {
        var request = try request([name: value])
        let before = request.allHTTPHeaderFields
        try Credential(headerField: "X-API-Key", value: "k").prepare(&request)
        #expect(request.allHTTPHeaderFields == before)
        #expect(request.value(forHTTPHeaderField: "X-API-KEY") == value)
    }

    @Test(
        arguments: [
            Credential.basic(username: "s3cret:a", password: "b"), .basic(username: "a", password: "s3cret\n"),
            .basic(username: "\0s3cret", password: ""), .bearer("s3cret\r\nX: y"), .bearer("s3cret\n"),
            .bearer("s3cret\0"),
            Credential(headerField: "", value: "s3cret"), Credential(headerField: "X Y", value: "s3cret"),
            Credential(headerField: "X:", value: "s3cret"), Credential(headerField: "X-Key", value: "s3cret\n"),
            Credential(headerField: "Content-Length", value: "1"),
        ] as [Credential]
    )
    func `throws what cannot be sent`(credential: Credential) throws {
        var request = try request()
        let error = #expect(throws: TeapotError.self) { try credential.prepare(&request) }
        #expect(error?.type == .invalidHeaderField)
        #expect(error.map { String(reflecting: $0).contains("s3cret") } == false)
        #expect(request.allHTTPHeaderFields?.isEmpty != false)
    }

    @Test(arguments: [
        Credential.bearer("s3cret"), .basic(username: "s3cret", password: "s3cret"),
        Credential(headerField: "X-Tenant\u{1B}", value: "s3cret"),
    ])
    func `shows no secret`(credential: Credential) throws {
        var dumped = ""
        dump(credential, to: &dumped)
        dump([credential] as [any Teapot.Plugin], to: &dumped)
        let mirrored = Mirror(reflecting: credential).children.map { "\($0.value)" }.joined()
        let texts = [
            "\(credential)", String(reflecting: credential), "\([credential])", "\(Optional(credential) as Any)",
            dumped,
            mirrored,
        ]
        for text in texts {
            #expect(text.contains("<redacted>"))
            #expect(!text.contains("s3cret"))
            #expect(!text.contains("czNjcmV0"))
            #expect(!text.contains("\u{1B}"))
        }
    }
}
