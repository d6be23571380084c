import LoopbackServer
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Runs against services that speak other things than JSON, recorded, and the same runs by the recordings.
@Suite(.inTurn)
struct ServiceRecordingContractTests {
    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    // MARK: - The services

    private struct Answer {
        var status = 200
        var mediaType: String? = "application/xml"
        var fields = ""
        var body = ""

        var script: Script {
            let type = mediaType.map { "Content-Type: \($0)\r\n" } ?? ""
            let length = "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n"
            return Script([.send("HTTP/1.1 \(status) Tea\r\n\(type)\(fields)\(length)\r\n\(body)"), .close])
        }
    }

    private static let xml = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"

    /// As Amazon S3 answers.
    private static func objectStore(_ request: ReceivedRequest) -> Answer {
        switch "\(request.method) \(request.target)" {
        case "GET /bucket?list-type=2&prefix=a+b":
            Answer(
                body: xml + """
                    <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Contents><Key>a b/1 &amp; 2</Key>\
                    <ETag>&quot;1&quot;</ETag></Contents><NextContinuationToken>next-page</NextContinuationToken>\
                    </ListBucketResult>
                    """
            )
        case "GET /bucket?list-type=2&continuation-token=next-page":
            Answer(body: xml + "<ListBucketResult><Contents><Key>a b/3</Key></Contents></ListBucketResult>")
        case "POST /bucket/k?uploads":
            Answer(body: xml + "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>")
        case "PUT /bucket/k?partNumber=1&uploadId=u":
            Answer(mediaType: nil, fields: "ETag: \"1\"\r\n")
        case "POST /bucket/k?uploadId=u":
            Answer(body: xml + "<CompleteMultipartUploadResult><Key>k</Key></CompleteMultipartUploadResult>")
        default:
            Answer(
                status: 403,
                body: xml + """
                    <Error><Code>SignatureDoesNotMatch</Code><SignatureProvided>s3cret-signature</SignatureProvided>\
                    <Token>\(request.header("X-Amz-Security-Token") ?? "")</Token></Error>
                    """
            )
        }
    }

    private static var objectStoreRequests: [Teapot.Request] {
        let scope = "Credential=AKID/20261126/eu/s3/aws4_request, SignedHeaders=host"
        let fields = [
            "Authorization": "AWS4-HMAC-SHA256 \(scope), Signature=s3cret-signature",
            "X-Amz-Security-Token": "s3cret/session+x==",
        ]
        let parts = "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber></Part></CompleteMultipartUpload>"
        return [
            Teapot.Request(path: "bucket?list-type=2&prefix=a+b", headerFields: fields),
            Teapot.Request(path: "bucket?list-type=2&continuation-token=next-page", headerFields: fields),
            Teapot.Request(.post, path: "bucket/k?uploads", headerFields: fields),
            Teapot.Request(
                .put,
                path: "bucket/k?partNumber=1&uploadId=u",
                headerFields: fields,
                body: Teapot.Request.Body(Data([0xFF, 0]))
            ),
            Teapot.Request(
                .post,
                path: "bucket/k?uploadId=u",
                headerFields: fields,
                body: Teapot.Request.Body(Data(parts.utf8), contentType: "application/xml")
            ),
            Teapot.Request(path: "bucket/k?tagging", headerFields: fields),
            Teapot.Request(path: "bucket/k?acl", headerFields: fields),
        ]
    }

    /// As a server of WebDAV (RFC 4918) answers: the properties that were asked for.
    private static func files(_ request: ReceivedRequest) -> Answer {
        let properties = request.body.text.matches(of: /<D:(getetag|displayname)\/>/).map { name in
            "<D:\(name.output.1)>tea</D:\(name.output.1)>"
        }
        let body = """
            <D:multistatus xmlns:D="DAV:"><D:response><D:href>\(request.path)</D:href><D:propstat><D:prop>\
            \(properties.joined())</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>
            """
        return Answer(status: 207, mediaType: "text/xml; charset=utf-8", body: xml + body)
    }

    private static var filesRequests: [Teapot.Request] {
        ["getetag", "displayname"].flatMap { property in
            ["dav/", "dav/b%20c"].map { path in
                let body = #"<D:propfind xmlns:D="DAV:"><D:prop><D:\#(property)/></D:prop></D:propfind>"#
                return Teapot.Request(
                    "PROPFIND",
                    path: Teapot.Path(path),
                    headerFields: ["Depth": "1", "Authorization": "Basic czNjcmV0OnMzY3JldC1wYXNz"],
                    body: Teapot.Request.Body(Data((xml + body).utf8), contentType: "text/xml")
                )
            }
        }
    }

    /// As a chat answers: with the kind of what was posted.
    private static func chat(_ request: ReceivedRequest) -> Answer {
        let kind = request.header("Content-Type").map { $0.prefix { $0 != ";" } } ?? "none"
        return Answer(mediaType: "application/json", body: #"{"kind":"\#(kind)"}"#)
    }

    private static func chatRequests() throws -> [Teapot.Request] {
        var form = MultipartFormData()
        form.append(Data([0xFF, 0]), name: "image", filename: "tea.png")
        let json = Data(#"{"text":"tea","token":"s3cret-json"}"#.utf8)
        return [
            Teapot.Request(.post, path: "messages", body: try form.body()),
            Teapot.Request(
                .post,
                path: "messages",
                body: .form(["text": "tea", "password": "s3cret-form"])
            ),
            Teapot.Request(.post, path: "messages", body: Teapot.Request.Body(json)),
        ]
    }

    // MARK: - The runs

    /// The status and the text of each response, with a recording's placeholders in place of secrets.
    private static func replies(of teapot: Teapot, to requests: [Teapot.Request]) async -> [String] {
        var replies: [String] = []
        for request in requests {
            let (status, data) =
                switch await outcome(of: request, from: teapot) {
                case .success(let response): (response.status, response.data)
                case .failure(let error): (error.responseStatus ?? 0, error.data ?? Data(error.description.utf8))
                }
            let secrets = ["s3cret-signature", "next-page", "s3cret/session+x=="]
            let text = secrets.reduce(data.text) { $0.replacing($1, with: "<redacted>") }
            replies.append("\(status) \(text.unnumbered)")
        }
        return replies
    }

    /// Records a run, and compares it with a replay in another order.
    private func run(
        _ transport: any Transport,
        _ requests: [Teapot.Request],
        answer: @escaping @Sendable (ReceivedRequest) -> Answer
    ) async throws -> [String] {
        let server = try LoopbackServer { answer($0).script }
        let recording = RecordingTransport(wrapping: transport, keptMediaTypes: ["application/xml", "text/xml"])
        let teapot = Teapot(
            baseURL: server.baseURL,
            defaultDeliveryQueue: DispatchQueue(label: "recording"),
            transport: recording
        )
        let live = await Self.replies(of: teapot, to: requests)
        let file = folder.file("run.har")
        try recording.write(to: file)
        let text = try #require(folder.text("run.har"))
        #expect(text.split(separator: "\n").filter { $0.contains("s3cret") || $0.contains("czNjcmV0") }.isEmpty)
        let mock = try MockTeapot(har: file)
        for (replayed, live) in zip(await Self.replies(of: mock, to: requests.reversed()), live.reversed()) {
            #expect(replayed == live)
        }
        try mock.verify()
        return live
    }

    @Test(arguments: Backend.carriers)
    func `an object store`(backend: Backend) async throws {
        let replies = try await run(backend.transport, Self.objectStoreRequests) {
            Self.objectStore($0)
        }
        #expect(replies.map { $0.prefix(3) } == ["200", "200", "200", "200", "200", "403", "403"])
        #expect(replies[0].contains("<Key>a b/1 &amp; 2</Key>"))
        #expect(replies[6].contains("<Token><redacted></Token>"))
    }

    @Test(arguments: Backend.carriers)
    func `a server of files`(backend: Backend) async throws {
        let replies = try await run(backend.transport, Self.filesRequests) { Self.files($0) }
        #expect(Set(replies).count == 4)
        #expect(
            replies[3].contains("<D:href>/dav/b%20c</D:href><D:propstat><D:prop><D:displayname>tea</D:displayname>")
        )
    }

    @Test(arguments: Backend.carriers)
    func `three kinds of messages to one URL`(backend: Backend) async throws {
        let replies = try await run(backend.transport, Self.chatRequests()) { Self.chat($0) }
        let kinds = ["multipart/form-data", "application/x-www-form-urlencoded", "application/json"]
        #expect(replies == kinds.map { #"200 {"kind":"\#($0)"}"# })
    }
}
