import Teapot
import TestSupport
import TestTraits
import Testing

@testable import TeapotMock

/// Bodies of media types that a caller wants to keep: written, but without what can be recognized as a secret.
@Suite(.inTurn)
struct KeptMediaTypeTests {
    private static let unreadable = "left out: it cannot be parsed, so it may contain secrets"
    private static let containsSecret = "left out: it contains a secret redacted elsewhere"

    /// Sends and answers a body, with a credential in a header field.
    private func exchange(
        _ run: RecordingRun,
        _ body: Data,
        mediaType: String? = "application/xml",
        headerFields: [String: String] = ["Authorization": "Bearer s3cret&<t>"]
    ) throws {
        let request = Teapot.Request(
            .put,
            path: "a",
            headerFields: headerFields,
            body: Teapot.Request.Body(body, contentType: mediaType ?? "application/octet-stream")
        )
        try run.exchange(request) { hop in
            hop.respond(200, headers: mediaType.map { ["Content-Type": $0] } ?? [:])
            hop.report(.data(body))
            hop.report(.finished(nil))
        }
    }

    @Test(arguments: [
        ("application/xml", "application/xml"), ("application/xml", "Application/XML; charset=utf-8"),
        ("APPLICATION/XML;charset=utf-8", "application/xml"), ("text/xml", "text/xml"),
        ("application/soap+xml", "application/soap+xml;action=a"),
    ])
    func `are written if they have such a type`(kept: String, mediaType: String) throws {
        let run = try RecordingRun(keptMediaTypes: ["text/calendar", kept])
        let body = "<?xml version=\"1.0\"?>\r\n<Contents><Key>a/b</Key><Size>1</Size></Contents>"
        try exchange(run, Data(body.utf8), mediaType: mediaType)
        let entry = try #require(try run.entries().first)
        #expect(entry.request.postData?.text == body)
        #expect(entry.response.content.text == body)
    }

    /// Types that are not the body's.
    @Test(
        arguments: [
            ([], "application/xml"), (["application/xml"], "text/xml"), (["application/xml"], "application/atom+xml"),
            (["application/xml"], nil), (["", " ", "xml", "*/*", "application/*"], "application/xml"),
            (["", "*/*"], nil),
        ] as [(Set<String>, String?)]
    )
    func `are left out if they have another type`(kept: Set<String>, mediaType: String?) throws {
        let run = try RecordingRun(keptMediaTypes: kept)
        try exchange(run, Data("<Key>a</Key>".utf8), mediaType: mediaType)
        let entry = try #require(try run.entries().first)
        #expect(entry.request.postData?.comment == Self.unreadable)
        #expect(entry.response.content.comment == Self.unreadable)
        #expect(entry.response.content.text == nil)
    }

    @Test func `have their secrets redacted, before and after they are known`() async throws {
        let run = try RecordingRun(keptMediaTypes: ["application/xml"])
        let credential = Credential(headerField: "X-Odd", value: "s3cret/odd+1")
        let encoded = Data("s3cret/odd+1".utf8).base64EncodedString()
        let body = """
            <a token='s3cret attribute' kind="tea"><b pin="s3cret-pin"/><Url>http://u:s3cret-user@h/?sig=s3cret-sig&amp;a=1</Url>\
            <Odd>s3cret/odd+1, s3cret%2Fodd%2B1, \(encoded)</Odd><Next>s3cret-later</Next><Json>{"otp":"s3cret-otp"}</Json></a>
            """
        run.teapot.plugins = [credential]
        try exchange(run, Data(body.utf8), headerFields: [:])
        run.teapot.plugins = []
        try run.exchange(Teapot.Request(path: "b?session-token=s3cret-later")) { $0.answer(200) }
        let text = try run.text()
        #expect(!text.contains("s3cret") && !text.contains(encoded))
        let entry = try #require(try run.entries().first)
        #expect(
            entry.request.postData?.text == """
                <a token='<redacted>' kind="tea"><b pin="<redacted>"/><Url>http://<redacted>@h/?sig=<redacted>&amp;a=1</Url>\
                <Odd><redacted>, <redacted>, <redacted></Odd><Next><redacted></Next><Json>{"otp":"<redacted>"}</Json></a>
                """
        )
        #expect(entry.response.content.text == entry.request.postData?.text)
        // The request matches, whatever is in these places.
        let mock = try run.replay()
        let otherEncoded = Data("other/odd+1".utf8).base64EncodedString()
        let other = body.replacing("s3cret", with: "other").replacing(encoded, with: otherEncoded)
        var request = Teapot.Request(.put, path: "a", body: Teapot.Request.Body(Data(other.utf8)))
        #expect(try await mock.send(request).status == 200)
        request.body = Teapot.Request.Body(Data(other.replacing("tea", with: "coffee").utf8))
        let error = await thrown { () throws(TeapotError) in try await mock.send(request) }
        #expect(error?.type == .unexpectedRequest)
    }

    @Test func `have secrets that are redacted elsewhere, too`() throws {
        let run = try RecordingRun(keptMediaTypes: ["application/xml"])
        try exchange(run, Data(#"<a password="s3cret&amp;two"/>"#.utf8), headerFields: [:])
        try run.exchange(Teapot.Request(path: "b")) {
            $0.answer(200, body: #"{"a":"s3cret&two","b":"s3cret&amp;two"}"#)
        }
        #expect(try run.entries().last?.response.content.text == #"{"a":"<redacted>","b":"<redacted>"}"#)
    }

    static let hidden: [(body: Data, comment: String)] = [
        // Copies in more than one part.
        (Data("<a>s3cret&<t></a>".utf8), containsSecret), (Data("<a>s3cret&<![CDATA[<t>]]></a>".utf8), containsSecret),
        (Data("<a>s3cret&amp;<![CDATA[&lt;t>]]></a>".utf8), containsSecret),
        // No XML.
        (Data("<a b=s3cret&<t></a>".utf8), unreadable), (Data("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>".utf8), unreadable),
        // Text in another encoding.
        (Data([0xFF, 0xFE]) + Data("<a>s3cret&<t></a>".utf8.flatMap { [$0, 0] }), unreadable),
        (Data("<a>s3cret&<t></a>".utf8.flatMap { [0, $0] }), unreadable),
        (Data("<a>caf".utf8) + Data([0xE9]) + Data("</a>".utf8), unreadable),
        (Data("<a/>\0".utf8), unreadable),
    ]

    @Test(arguments: brief(hidden.indices) { hidden[$0].body.text })
    func `are left out if a credential could be hidden in them`(row: Brief<Int>) throws {
        let (body, comment) = Self.hidden[row.value]
        let run = try RecordingRun(keptMediaTypes: ["application/xml"])
        try exchange(run, body)
        let entry = try #require(try run.entries().first)
        #expect(entry.request.postData?.comment == comment)
        #expect(entry.response.content.comment == comment)
        #expect(entry.request.postData?.text == nil && entry.response.content.text == nil)
    }

    @Test(
        arguments: [
            ("<a>s3cret&amp;&lt;t&gt;</a>", "<a><redacted></a>"), ("<a>s3cret&#38;&#x3c;t></a>", "<a><redacted></a>"),
            ("<a b='&#x73;3cret&amp;&lt;t&gt;'/>", "<a b='<redacted>'/>"),
            ("<a><![CDATA[s3cret&<t>, ]]></a>", "<a><![CDATA[<redacted>, ]]></a>"),
            // What ends there is found elsewhere.
            (
                "<u><![CDATA[h?token=abcdef123]]></u><b>abcdef123</b>",
                "<u><![CDATA[h?token=<redacted>]]></u><b><redacted></b>"
            ),
            ("<a href='h?token=abcdef123'/><b>abcdef123</b>", "<a href='h?token=<redacted>'/><b><redacted></b>"),
        ] as [(String, String)]
    )
    func `have copies redacted, whatever stands in for their characters`(body: String, expected: String) throws {
        let run = try RecordingRun(keptMediaTypes: ["application/xml"])
        try exchange(run, Data(body.utf8))
        let entry = try #require(try run.entries().first)
        #expect(entry.request.postData?.text == expected)
        #expect(entry.response.content.text == expected)
    }

    @Test func `are left out if the request's body was encoded`() throws {
        let run = try RecordingRun(keptMediaTypes: ["application/xml"])
        try exchange(run, Data("<a/>".utf8), headerFields: ["Content-Encoding": "gzip"])
        let entry = try #require(try run.entries().first)
        #expect(entry.request.postData?.comment == "left out: it is encoded (gzip), so it may contain secrets")
        #expect(entry.response.content.text == "<a/>")
    }

    /// They can be kept, too; a JSON body is redacted by its names as far as they can be read.
    @Test(
        arguments: brief(
            [
                (
                    "multipart/form-data",
                    "--b\r\nContent-Disposition: form-data; name=a\r\n\r\ns3cret&<t>, tea\r\n--b--",
                    "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n<redacted>, tea\r\n--b--"
                ),
                ("application/json", #"{"a":"tea","otp":"hush"}"#, #"{"a":"tea","otp":"<redacted>"}"#),
                ("application/json", #"{"a":"tea","otp":"hush"#, #"{"a":"tea","otp":<redacted>"#),
                // A page is read anyway.
                ("text/html", "<p>s3cret&<t></p>", "<p><redacted></p>"),
            ] as [(String, String, String)]
        )
    )
    func `may be other text whose names are not read`(_ argument: Brief<(String, String, String)>) throws {
        let (mediaType, body, expected) = argument.value
        let run = try RecordingRun(keptMediaTypes: [mediaType])
        try exchange(run, Data(body.utf8), mediaType: mediaType)
        #expect(try run.entries().first?.response.content.text == expected)
    }

    @Test func `that are binary are written only without a known secret`() throws {
        let run = try RecordingRun(keptMediaTypes: ["application/octet-stream"])
        try exchange(run, Data([0xFF, 0, 1]), mediaType: "application/octet-stream")
        try exchange(run, Data([0xFF, 0]) + Data("s3cret&<t>".utf8), mediaType: "application/octet-stream")
        let contents = try run.entries().map(\.response.content)
        #expect(contents.map(\.text) == ["/wAB", nil])
        #expect(contents.map(\.comment) == [nil, Self.containsSecret])
    }

    @Test func `are unchanged if nothing is secret`() throws {
        let run = try RecordingRun(.off, keptMediaTypes: ["application/xml"])
        try exchange(run, Data("<a token='s3cret&amp;&lt;t&gt;'>&lt;redacted&gt;</a>".utf8))
        #expect(
            try run.entries().first?.response.content.text == "<a token='s3cret&amp;&lt;t&gt;'>&lt;redacted&gt;</a>"
        )
    }
}
