import Teapot
import TestSupport
import TestTraits
import Testing

@testable import TeapotMock

/// Secrets in every place of a recording, and what servers make of them.
@Suite(.inTurn)
struct RecordingRedactionTests {
    @Test func `are nowhere in the file`() throws {
        let run = try RecordingRun(.standard.adding(["X-Tenant"]))
        let basic = Data("s3cret-user:s3cret-pass".utf8).base64EncodedString()
        let headers = [
            "Authorization": "Bearer s3cret/bearer+1", "Cookie": "a=\"s3cret-cookie\"; b=s3cret-other",
            "X-Api-Key": "s3cret-key",
            "Proxy-Authorization": "Basic \(basic)", "X-Tenant": "s3cret-tenant", "X-Trace": "on",
            "Referer": "http://u:s3cret-referer@h/?sig=s3cret-sig",
        ]
        let object = #"""
            {"user":"ada","password":"s3cret\/password","nested":[{"accessToken":{"value":"s3cret-nested"}}],"pan":123456}
            """#
        try run.exchange(
            Teapot.Request(
                .post,
                path: "a/s3cret-tenant/s3cret%2Fpassword?token=s3cret%20query&next=s3cret%2Fbearer%2B1",
                headerFields: headers,
                body: Teapot.Request.Body(Data(object.utf8))
            )
        ) {
            $0.answer(
                302,
                headers: [
                    "Set-Cookie": "sid=s3cret-set; Path=/; Expires=Wed, 21 Oct 2037 07:28:00 GMT, b=s3cret-set-2",
                    "Location": "http://s3cret-user:s3cret-pass@h/?access_token=s3cret-location",
                    "X-Echo": "s3cret-key", "Content-Type": "text/html",
                ],
                body: "<a href=\"/?q=s3cret+query\">s3cret-user said s3cret/password</a> s3cret-location"
            )
        }
        let form = "user=ada&client_secret=s3cret%2Bclient&a=1"
        try run.exchange(
            Teapot.Request(
                .post,
                path: "form",
                body: Teapot.Request.Body(Data(form.utf8), contentType: "application/x-www-form-urlencoded")
            )
        ) {
            $0.answer(
                200,
                body:
                    #"{"data":"client_secret=s3cret%2Bclient","form":{"x":"s3cret+client"},"s3cret-set":"s3cret\u002fpassword""#
                    + #","raw":"{\"note\":\"s3cret-nested, s3cret-other\"}"}"#
            )
        }
        try run.exchange(Teapot.Request(path: "lines/s3cret-late")) {
            $0.answer(200, body: "{\"id\":\"s3cret-cookie\"}\n{\"jwt\":\"s3cret-late\"}\n")
        }
        try run.exchange(Teapot.Request(path: "s3cret-set-2")) {
            $0.report(.finished(URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "s3cret-late"])))
        }
        let text = try run.text()
        #expect(!text.contains("s3cret"), "\(text)")
        #expect(!text.contains(basic))
        // Text that is not a secret is kept.
        let entries = try run.entries()
        #expect(
            entries.map(\.request.url) == [
                "http://notes.test/v1/a/<redacted>/<redacted>?token=<redacted>&next=<redacted>",
                "http://notes.test/v1/form",
                "http://notes.test/v1/lines/<redacted>", "http://notes.test/v1/<redacted>",
            ]
        )
        #expect(entries[0].request.headers.value("X-Trace") == "on")
        #expect(entries[0].request.headers.value("Referer") == "http://<redacted>@h/?sig=<redacted>")
        #expect(
            entries[0].request.postData?.text
                == #"{"user":"ada","password":"<redacted>","nested":[{"accessToken":"<redacted>"}],"pan":123456}"#
        )
        #expect(entries[0].response.headers.value("Location") == "http://<redacted>@h/?access_token=<redacted>")
        #expect(
            entries[0].response.content.text
                == "<a href=\"/?q=<redacted>\"><redacted> said <redacted></a> <redacted>"
        )
        #expect(entries[1].request.postData?.text == "user=ada&client_secret=<redacted>&a=1")
        #expect(
            entries[1].response.content.text
                == #"{"data":"client_secret=<redacted>","form":{"x":"<redacted>"},"<redacted>":"<redacted>""#
                + #","raw":"{\"note\":\"<redacted>, <redacted>\"}"}"#
        )
        #expect(entries[2].response.content.text == "{\"id\":\"<redacted>\"}\n{\"jwt\":\"<redacted>\"}\n")
    }

    @Test func `are those of grants and signatures, which a replay can give back`() async throws {
        let run = try RecordingRun()
        let signed = Teapot.Request(
            path: "login",
            headerFields: ["CB-ACCESS-SIGN": "s3cret-sign", "SIGN": "s3cret-sign-2"]
        )
        try run.exchange(signed) { $0.answer(200, body: #"{"callback":"/cb?code=s3cret-code&state=1"}"#) }
        let bodies = [
            "code=s3cret-code&grant_type=authorization_code", "device_code=s3cret-device&grant_type=a",
            "assertion=s3cret-assertion&SAMLResponse=s3cret-saml", #"{"grant_type":"a","code":"s3cret-code"}"#,
        ]
        for body in bodies {
            let request = Teapot.Request(
                .post,
                path: "token?ticket=s3cret-ticket",
                body: Teapot.Request.Body(Data(body.utf8))
            )
            try run.exchange(request) { $0.answer(400, body: #"{"code":"invalid","echo":"s3cret-code"}"#) }
        }
        let text = try run.text()
        #expect(!text.contains("s3cret"), "\(text)")
        #expect(try run.entries()[1].response.content.text == #"{"code":"invalid","echo":"<redacted>"}"#)
        let mock = try run.replay()
        let other = Teapot.Request.Body(Data("code=other&grant_type=authorization_code".utf8))
        let error = await thrown { () throws(TeapotError) in
            try await mock.send(Teapot.Request(.post, path: "token?ticket=other", body: other))
        }
        #expect(error?.responseStatus == 400)
    }

    private static let unparsed = "it cannot be parsed, so it may contain secrets"

    @Test(
        arguments: [
            ("application/json", Data(#"{"password":"hush"#.utf8), unparsed),
            ("text/plain", Data("Content-Disposition: form-data; name=a\r\n\r\nhush".utf8), unparsed),
            (
                "multipart/form-data; boundary=b", Data("content-disposition: form-data; name=otp\r\n\r\nhush".utf8),
                unparsed
            ),
            ("multipart/form-data; boundary=b", Data([0xFF, 0]) + Data("hush".utf8), unparsed),
            ("application/soap+xml", Data("<password>hush</password>".utf8), unparsed),
            ("application/json", Data([0xFF, 0xFE]) + Data(#"{"otp":"hush"}"#.utf8.flatMap { [$0, 0] }), unparsed),
            ("application/json", Data(#"{"otp":"hush"}"#.utf8.flatMap { [$0, 0] }), unparsed),
            ("text/plain", Data("otp=h\u{FC}sh&hush".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }), unparsed),
            ("text/plain", Data("password=hush\0".utf8), unparsed),
            ("text/plain", Data("password=hush&city=Malm".utf8) + Data([0xF6]), unparsed),
            (
                "application/protobuf", Data([0, 0xFF]) + Data("hush-known".utf8),
                "it contains a secret redacted elsewhere"
            ),
        ] as [(String, Data, String)]
    )
    func `make a body be left out`(mediaType: String, body: Data, reason: String) throws {
        let run = try RecordingRun()
        let request = Teapot.Request(
            .post,
            path: "a",
            headerFields: ["X-Api-Key": "hush-known"],
            body: Teapot.Request.Body(body, contentType: mediaType)
        )
        try run.exchange(request) { hop in
            hop.respond(200, headers: ["Content-Type": mediaType])
            hop.report(.data(body))
            hop.report(.finished(nil))
        }
        let entry = try #require(try run.entries().first)
        #expect(entry.request.postData == HARBody(mimeType: mediaType, comment: "left out: \(reason)"))
        #expect(
            entry.response.content
                == HARBody(size: body.count, mimeType: mediaType, comment: "left out: \(reason)")
        )
        #expect(try !run.text().contains("hush"))
    }

    @Test func `do not stand in images, which are kept`() throws {
        let image = Data([0x89, 0x50, 0x4E, 0x47, 0, 1, 2, 0xFF])
        let run = try RecordingRun()
        try run.exchange(Teapot.Request(path: "a")) { hop in
            hop.respond(200, headers: ["Content-Type": "image/png"])
            hop.report(.data(image))
            hop.report(.finished(nil))
        }
        let content = try #require(try run.entries().first?.response.content)
        #expect(
            content == HARBody(size: 8, mimeType: "image/png", text: image.base64EncodedString(), encoding: "base64")
        )
    }

    @Test func `are those that the client's policy names, too, unless the recording's is off`() throws {
        for policy in [SecretPolicy.standard, .standard.adding(["x-other"]), .off] {
            let run = try RecordingRun(policy)
            run.teapot.secretPolicy = .standard.adding(["X-Tenant"])
            try run.exchange(Teapot.Request(path: "a", headerFields: ["X-Tenant": "hush-hush"])) {
                $0.answer(200, body: #"{"echo":"hush-hush"}"#)
            }
            #expect(try run.text().contains("hush") == (policy == .off))
        }
    }

    @Test func `are shown when the policy is off`() throws {
        let run = try RecordingRun(.off)
        try run.exchange(Teapot.Request(path: "a?token=hush", headerFields: ["Cookie": "a=hush-1"])) {
            $0.answer(200, body: #"{"password":"hush-2"#)
        }
        let entry = try #require(try run.entries().first)
        #expect(entry.request.url.hasSuffix("a?token=hush"))
        #expect(entry.request.headers.cookies == [HARField("a", "hush-1")])
        #expect(entry.response.content.text == #"{"password":"hush-2"#)
    }

    @Test func `are not replaced in the address of the server, nor if they are short`() throws {
        let run = try RecordingRun()
        let headers = ["Cookie": "site=notes.test; n=12345; m=123456"]
        try run.exchange(Teapot.Request(path: "12345/123456", headerFields: headers)) {
            $0.answer(302, headers: ["Location": "http://notes.test/12345"])
        }
        let entry = try #require(try run.entries().first)
        #expect(entry.request.url == "http://notes.test/v1/12345/<redacted>")
        #expect(entry.response.headers.value("Location") == "http://notes.test/12345")
    }

    static let ordinaryValues = [
        (
            #"{"errors":{"password":"is required","name":"is required"}}"#,
            #"{"errors":{"password":"<redacted>","name":"is required"}}"#
        ),
        (
            #"{"password":{"type":"string"},"name":{"type":"string"},"note":"stringent string"}"#,
            #"{"password":"<redacted>","name":{"type":"string"},"note":"stringent string"}"#
        ),
        (#"{"token_type":"Bearer","scheme":"Bearer"}"#, #"{"token_type":"Bearer","scheme":"Bearer"}"#),
        (#"{"id":1234567890,"at":12.123456}"#, #"{"id":1234567890,"at":12.123456}"#),
        (#"{"id":123456,"name":"application"}"#, #"{"id":"<redacted>","name":"application"}"#),
    ]

    @Test(arguments: brief(ordinaryValues))
    func `are not mistaken for secrets`(_ argument: Brief<(String, String)>) throws {
        let (body, expected) = argument.value
        let run = try RecordingRun()
        let basic = "Basic \(Data("application:123456".utf8).base64EncodedString())"
        let request = Teapot.Request(.post, path: "string/is%20required", headerFields: ["Authorization": basic])
        try run.exchange(request) {
            $0.answer(422, headers: ["Content-Type": "application/json"], body: body)
        }
        let entry = try #require(try run.entries().first)
        #expect(entry.response.content.text == expected)
        #expect(entry.request.url == "http://notes.test/v1/string/is%20required")
        #expect(entry.response.content.mimeType == "application/json")
    }

    @Test func `leave the content type alone`() throws {
        let run = try RecordingRun()
        let body = Teapot.Request.Body(Data("application".utf8), contentType: "application/x-a")
        try run.exchange(Teapot.Request(.post, path: "a", headerFields: ["X-Api-Key": "application"], body: body)) {
            $0.answer(200, headers: ["Content-Type": "application/json", "X-Echo": "application/json"])
        }
        let entry = try #require(try run.entries().first)
        #expect(entry.request.headers.value("Content-Type") == "application/x-a")
        #expect(entry.request.postData?.text == "<redacted>")
        #expect(entry.response.headers.value("Content-Type") == "application/json")
        #expect(entry.response.headers.value("X-Echo") == "<redacted>/json")
    }

    @Test(arguments: ["gzip", "br", "identity"])
    func `are not looked for in a body that was encoded`(encoding: String) throws {
        let run = try RecordingRun()
        let body = Teapot.Request.Body(Data("a=1".utf8))
        try run.exchange(Teapot.Request(.put, path: "a", headerFields: ["content-encoding": encoding], body: body)) {
            $0.answer(200)
        }
        let postData = try #require(try run.entries().first?.request.postData)
        #expect(postData.text == (encoding == "identity" ? "a=1" : nil))
        #expect(
            postData.comment
                == (encoding == "identity" ? nil : "left out: it is encoded (\(encoding)), so it may contain secrets")
        )
    }

    @Test func `may be numbers`() throws {
        let run = try RecordingRun()
        try run.exchange(Teapot.Request(path: "123456/12345/777777")) {
            $0.answer(200, body: #"{"otp":123456,"password":{"n":777777,"pwd":12345},"a":123456,"b":1234567}"#)
        }
        let entry = try #require(try run.entries().first)
        #expect(entry.request.url == "http://notes.test/v1/<redacted>/12345/<redacted>")
        #expect(
            entry.response.content.text == #"{"otp":"<redacted>","password":"<redacted>","a":"<redacted>","b":1234567}"#
        )
    }

    @Test func `are removed after a byte order mark, which is kept`() throws {
        let mark = Data([0xEF, 0xBB, 0xBF])
        let run = try RecordingRun()
        try run.exchange(Teapot.Request(path: "a")) { hop in
            hop.respond(200)
            hop.report(.data(mark + Data(#"{"otp":"hush"}"#.utf8)))
            hop.report(.finished(nil))
        }
        let content = try #require(try run.entries().first?.response.content)
        #expect(content.encoding == "base64")
        #expect(Data(base64Encoded: content.text ?? "") == mark + Data(#"{"otp":"redacted-1"}"#.utf8))
    }

    @Test func `two recordings of the same traffic are the same`() throws {
        let texts = try (1...2).map { run in
            let recording = try RecordingRun()
            try recording.exchange(Teapot.Request(path: "tea")) {
                $0.answer(
                    200,
                    headers: [
                        "Date": "Wed, 21 Oct 2037 07:28:0\(run) GMT", "Age": "\(run)", "X-Request-Id": "id-\(run)",
                        "Server-Timing": "db;dur=\(run)", "Last-Modified": "Wed, 21 Oct 2015 07:28:00 GMT",
                    ],
                    body: #"{"kind":"green"}"#
                )
            }
            return try recording.text()
        }
        #expect(texts[0] == texts[1])
        #expect(texts[0].contains("Last-Modified"))
        #expect(!texts[0].contains("2037"))
    }
}
