@testable import Teapot
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct CurlCommandTests {
    /// A request, whose URL is `http://h` unless it says another.
    private func sent(
        _ method: String = "GET",
        _ url: String = "http://h",
        fields: [String: String] = [:],
        body: Data? = nil,
        file: URL? = nil,
        secrets: SecretPolicy = .standard
    ) throws -> Teapot.SentRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        request.httpBody = body
        return Teapot.SentRequest(
            id: 1,
            urlRequest: request,
            bodyFile: file,
            hasBodyPieces: false,
            attempt: 1,
            secrets: secrets,
            start: .zero
        )
    }

    // MARK: - What it says

    @Test(
        arguments: [
            ("GET", "http://h/a?b=c&d", "curl 'http://h/a?b=c&d' --compressed"),
            ("HEAD", "http://h", "curl 'http://h' --head --compressed"),
            ("DELETE", "http://h", "curl 'http://h' --request DELETE --compressed"),
            ("M-SEARCH", "http://h", "curl 'http://h' --request 'M-SEARCH' --compressed"),
            ("POST", "http://h", "curl 'http://h' --request POST --header 'Content-Length: 0' --compressed"),
            ("GET", "http://[::1]:1/", "curl 'http://[::1]:1/' --globoff --compressed"),
            ("GET", "http://h/it's", #"curl 'http://h/it'\''s' --compressed"#),
        ] as [(String, String, String)]
    )
    func `has method and URL`(method: String, url: String, line: String) throws {
        #expect(try sent(method, url).curlCommand() == line)
    }

    @Test func `has header fields in order`() throws {
        let fields = ["X-B": "it's", "Accept": "*/*", "X-A": "", "X-C": "a\u{202E}b\t!"]
        #expect(
            try sent(fields: fields).curlCommand() == "curl 'http://h' --header 'Accept: */*' --header 'X-A;' "
                + #"--header 'X-B: it'\''s' --header $'X-C: a\xE2\x80\xAEb\t\x21' --compressed"#
        )
    }

    @Test func `has a body that is not text, if everything is shown`() throws {
        let request = try sent("PUT", fields: ["Content-Type": "image/png"], body: Data([0xFF, 0, 10]))
        let line = "curl 'http://h' --request PUT --header 'Content-Type: image/png' --compressed"
        #expect(
            request.curlCommand(showsSecrets: true) == "printf %s '/wAK' | base64 --decode | \(line) --data-binary @-"
        )
        #expect(request.curlCommand() == "\(line) --data-raw '3 bytes'")
    }

    // MARK: - What it does not show

    private static let secretRequests: [(String, [String: String], String?)] = [
        ("http://u:s3cret@h/x?token=s3cret&a=1#access_token=s3cret", [:], nil),
        ("http://h", ["Authorization": "Bearer s3cret", "Cookie": "a=s3cret", "X-Api-Key": "s3cret"], nil),
        ("http://h", ["X-Link": "<http://u:s3cret@h/?token=s3cret>", "X-Tenant": "s3cret"], nil),
        ("http://h", [:], #"{"password":"s3cret","a":{"token":["s3cret"]}}"#),
        ("http://h", [:], #"{"a":"token=s3cret-1","a":"b"}"#),
        ("http://h", [:], "{\"a\":1}\n{\"password\":\"s3cret\"}"),
        ("http://h", [:], "\u{FEFF}{\"password\":\n[\"s3cret\"]}"),
        ("http://h", [:], "user=a&password=s3cret&next=/x?token=s3cret"),
        ("http://h", [:], "{\"password\":\"s3cret"), ("http://h", [:], "a\0s3cret"),
        ("http://h", [:], "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\ns3cret\r\n--b--\r\n"),
        ("http://h", [:], String(repeating: "[", count: 400) + #"{"a":"s3cret"}"# + String(repeating: "]", count: 400)),
        ("http://h", [:], String(repeating: "s3cret", count: 50_000)),
    ]

    @Test(arguments: brief(secretRequests))
    func `shows no secret, and what the log shows`(row: Brief<(String, [String: String], String?)>) throws {
        let (url, fields, body) = row.value
        let secrets = SecretPolicy.standard.adding(["X-Tenant"])
        let data = body.map { Data($0.utf8) }
        let request = try sent(body == nil ? "GET" : "POST", url, fields: fields, body: data, secrets: secrets)
        let line = request.curlCommand()
        #expect(!line.contains("s3cret"))
        #expect(!line.contains("czNjcmV0"))
        // As in the log, except for the quotation marks.
        #expect(line.contains(try secrets.redacted(#require(request.urlRequest.url))))
        for (name, value) in fields { #expect(line.contains("\(name): \(secrets.redacted(value, named: name))")) }
        if let data { #expect(line.contains("--data-raw " + secrets.redacted(body: data).asShellWord)) }
        let wholeLine = request.curlCommand(showsSecrets: true)
        #expect(wholeLine.contains("s3cret") || wholeLine.contains("base64"))
    }

    @Test func `shows what an open policy shows`() throws {
        let request = try sent("POST", "http://h/?token=t", fields: ["Authorization": "a"], body: Data("pin=1".utf8))
        let open = Teapot.SentRequest(
            id: 1,
            urlRequest: request.urlRequest,
            bodyFile: nil,
            hasBodyPieces: false,
            attempt: 1,
            secrets: .off,
            start: .zero
        )
        #expect(open.curlCommand() == request.curlCommand(showsSecrets: true))
        let pin = SecretPolicy.off.adding(["pin"])
        let closed = Teapot.SentRequest(
            id: 1,
            urlRequest: request.urlRequest,
            bodyFile: nil,
            hasBodyPieces: false,
            attempt: 1,
            secrets: pin,
            start: .zero
        )
        #expect(closed.curlCommand().contains("--data-raw 'pin=<redacted>'"))
        #expect(closed.curlCommand().contains("Authorization: a"))
    }

    // MARK: - What it looks like

    /// Whatever a request holds, the line is one line, and looks like what it does.
    @Test(arguments: brief(LogInjectionTests.characters))
    func `is one line`(_ argument: Brief<String>) throws {
        let text = argument.value
        let hostile = "a'\(text)\u{301}'; rm -rf ~ #"
        let body = Data(hostile.utf8)
        for request in [
            try sent(fields: ["X-A": hostile]), try sent("POST", body: body), try sent("a\(text)"),
            try sent("POST", body: try JSONEncoder().encode([hostile])),
            try sent("POST", body: try JSONEncoder().encode(["password": hostile, "b": hostile])),
            try sent("PUT", file: URL(fileURLWithPath: "/\(hostile)")),
        ] {
            for showsSecrets in [false, true] {
                let line = request.curlCommand(showsSecrets: showsSecrets)
                let isPlain = line.unicodeScalars.allSatisfy { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: false
                    default: true
                    }
                }
                #expect(isPlain, "\(line.debugDescription)")
            }
        }
    }

    @Test func `is printed for each request`() async throws {
        let lines = Locked<[String]>([])
        let transport = ManualTransport { hop in
            hop.request.url?.path() == "/old" ? hop.answer(302, headers: ["Location": "/new"]) : hop.answer(200)
        }
        let teapot = Teapot(baseURL: try #require(URL(string: "http://h")), transport: transport)
        teapot.plugins = [
            CurlPrinter { line in lines.withLock { $0.append(line) } }, Credential.bearer("s3cret"),
            CurlPrinter(showsSecrets: true) { line in lines.withLock { $0.append(line) } },
        ]
        try await teapot.get("old")
        let words = "--header 'Authorization:"
        #expect(
            lines.withLock { $0 } == [
                "curl 'http://h/old' \(words) <redacted>' --compressed",
                "curl 'http://h/old' \(words) Bearer s3cret' --compressed",
                "curl 'http://h/new' \(words) <redacted>' --compressed",
                "curl 'http://h/new' \(words) Bearer s3cret' --compressed",
            ]
        )
    }
}
