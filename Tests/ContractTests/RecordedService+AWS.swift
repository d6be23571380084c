import Teapot
import Testing

/// Services of AWS, as moto answers for them.
extension RecordedService {
    static let aws = [
        aws("S3: objects and pages of them", objects) { name in
            [
                Teapot.Request(path: "\(name)/none"),
                Teapot.Request(path: "\(name)?list-type=2&max-keys=2&continuation-token=none"),
                Teapot.Request(.post, path: "\(name)/one?uploadId=none", body: .init(Data("<None/>".utf8))),
            ]
        },
        aws("STS: AssumeRole", roles) { _ in [form("sts", "Action=AssumeRole&RoleSessionName=none")] },
        aws("STS: GetSessionToken", session) { _ in [form("sts", "Action=GetSessionToken&DurationSeconds=1")] },
        // An element around the parts of a key: its own name would hide its status and its date.
        aws("IAM: access keys", harmlessNames: ["AccessKey"], accessKeys) { _ in
            [form("iam", "Action=ListAccessKeys&UserName=none")]
        },
        aws("SSM: pages by a token", parameters) { name in
            [json("ssm", "AmazonSSM.GetParametersByPath", #"{"Path":"/\#(name)","MaxResults":2,"NextToken":"3"}"#)]
        },
        // The name of a secret. Elsewhere, a `secret_id` is one.
        aws("Secrets Manager: secrets", harmlessNames: ["SecretId"], secrets) { _ in
            [json("secretsmanager", "secretsmanager.GetSecretValue", #"{"SecretId":"none"}"#)]
        },
        aws("Secrets Manager: pages of names", namesOfSecrets) { _ in
            [json("secretsmanager", "secretsmanager.ListSecrets", #"{"MaxResults":3}"#)]
        },
        aws("DynamoDB: items by key, and pages", items) { name in
            [json("dynamodb", "DynamoDB_20120810.GetItem", #"{"TableName":"\#(name)","Key":{"leaf":{"S":"none"}}}"#)]
        },
    ]

    private static func aws(
        _ name: String,
        harmlessNames: [String] = [],
        _ run: @escaping @Sendable (RecordedRun) async throws -> Void,
        unrecorded: @escaping @Sendable (String) -> [Teapot.Request]
    ) -> RecordedService {
        RecordedService(
            testDescription: name,
            variable: "TEAPOT_MOTO_URL",
            run: run,
            unrecorded: unrecorded,
            harmlessNames: harmlessNames
        )
    }

    // MARK: - Requests

    private static let signature = "5ec3e75ec3e75ec3e75ec3e75ec3e7aa"

    private static func fields(_ service: String, _ more: [String: String] = [:]) -> [String: String] {
        let credential = "Credential=AKIDTEATEATEATEATEA/20261128/us-east-1/\(service)/aws4_request"
        let authorization = "AWS4-HMAC-SHA256 \(credential), SignedHeaders=host, Signature=\(signature)"
        return ["Authorization": authorization].merging(more) { $1 }
    }

    private static func form(_ service: String, _ text: String) -> Teapot.Request {
        let body = Teapot.Request.Body(Data(text.utf8), contentType: "application/x-www-form-urlencoded; charset=utf-8")
        return Teapot.Request(.post, headerFields: fields(service), body: body)
    }

    private static func json(_ service: String, _ operation: String, _ text: String) -> Teapot.Request {
        let body = Teapot.Request.Body(Data(text.utf8), contentType: "application/x-amz-json-1.1")
        return Teapot.Request(.post, headerFields: fields(service, ["X-Amz-Target": operation]), body: body)
    }

    private static func segment(_ text: String) -> String { Teapot.Path(segments: [text]).text }

    // MARK: - Runs

    private static func objects(_ run: RecordedRun) async throws {
        func send(
            _ method: Teapot.HTTPMethod,
            _ path: Teapot.Path,
            _ body: String? = nil,
            type: String = "application/xml"
        ) async throws -> String {
            try await run.send(method, "\(run.name)\(path)", body, type: type, fields: fields("s3"))
        }
        _ = run.secret(signature)
        _ = try await send(.put, "")
        let objects = (1...5).map { ("leaf \($0)/a & b", "leaf \($0) \u{1FAD6}") }
        for (key, value) in objects {
            _ = try await send(.put, "/\(key)", value, type: "text/plain; charset=utf-8")
        }
        for (key, value) in objects.reversed() {
            #expect(try await send(.get, "/\(key)") == value)
        }
        var keys: [String] = []
        var next: Teapot.Path? = "&start-after=a"
        while keys.count < 9, let more = next {
            let page = try await send(.get, "?list-type=2&max-keys=2\(more)")
            keys += page.matches(of: /<Key>([^<]*)<\/Key>/).map { String($0.output.1) }
            let token = page.firstMatch(of: /<NextContinuationToken>([^<]*)</).map { String($0.output.1) }
            next = token.map { "&continuation-token=\($0)" }
        }
        #expect(keys == objects.map { $0.0.replacing("&", with: "&amp;") })
        for (part, tag) in [("one", "f97c5d29941bfb1b2fdab0874906ab82"), ("two", "b8a9f715dbb64fd5c56e7783c6820a61")] {
            let begun = try await send(.post, "/\(part)?uploads")
            let upload = try #require(begun.firstMatch(of: /<UploadId>([^<]*)</)).output.1
            _ = try await send(.put, "/\(part)?partNumber=1&uploadId=\(upload)", part, type: "application/octet-stream")
            let parts = "<Part><PartNumber>1</PartNumber><ETag>\"\(tag)\"</ETag></Part>"
            let all = "<CompleteMultipartUpload>\(parts)</CompleteMultipartUpload>"
            #expect(try await send(.post, "/\(part)?uploadId=\(upload)", all).contains("<Key>\(part)</Key>"))
            #expect(try await send(.get, "/\(part)") == part)
        }
        #expect(try await send(.get, "/missing").contains("<Key>missing</Key>"))
        let scope =
            "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDTEA%2F20261128%2Fus-east-1%2Fs3%2Faws4_request"
        let signed = "X-Amz-Expires=60&X-Amz-Signature=\(run.secret("5ec3e7bb5ec3e7bb5ec3e7bb5ec3e7bb"))"
        #expect(try await run.send(.get, "\(run.name)/one?\(raw: scope)&\(raw: signed)") == "one")
    }

    private static func takeCredentials(_ run: RecordedRun, _ text: String) throws {
        for pattern in [/<AccessKeyId>([^<]+)</, /<SecretAccessKey>([^<]+)</, /<SessionToken>([^<]+)</] {
            _ = try run.take(pattern, from: text)
        }
    }

    private static func roles(_ run: RecordedRun) async throws {
        for role in ["green", "black"] {
            let arn = segment("arn:aws:iam::123456789012:role/\(role)")
            let name = "Version=2011-06-15&RoleSessionName=\(role)-leaf&DurationSeconds=900"
            let text = try await run.send(form("sts", "Action=AssumeRole&\(name)&RoleArn=\(arn)"))
            try takeCredentials(run, text)
            #expect(text.contains("<Arn>arn:aws:sts::123456789012:assumed-role/\(role)/\(role)-leaf</Arn>"))
        }
        // The credentials in use.
        let token = ["X-Amz-Security-Token": try #require(run.received.last)]
        let (header, text) = (fields("sts", token), "Action=GetCallerIdentity&Version=2011-06-15")
        let caller = Teapot.Request(.post, headerFields: header, body: form("sts", text).body)
        #expect(try await run.send(caller).contains("<Account>123456789012</Account>"))
    }

    private static func session(_ run: RecordedRun) async throws {
        let text = try await run.send(form("sts", "Action=GetSessionToken&Version=2011-06-15&DurationSeconds=900"))
        try takeCredentials(run, text)
        #expect(text.contains(/<Expiration>20[^<]*</))
    }

    private static func accessKeys(_ run: RecordedRun) async throws {
        let user = "Version=2010-05-08&UserName=\(run.name)"
        try await run.send(form("iam", "Action=CreateUser&\(user)"))
        let created = try await run.send(form("iam", "Action=CreateAccessKey&\(user)"))
        _ = try run.take(/<AccessKeyId>([^<]+)</, from: created)
        _ = try run.take(/<SecretAccessKey>([^<]+)</, from: created)
        let listed = try await run.send(form("iam", "Action=ListAccessKeys&\(user)"))
        for text in [created, listed] {
            #expect(text.contains("<UserName>\(run.name)</UserName>"))
            #expect(text.contains("<Status>Active</Status>"))
        }
    }

    private struct Parameters: Decodable {
        struct Parameter: Decodable { let Name: String, Value: String }
        let Parameters: [Parameter], NextToken: String?
    }

    private static func parameters(_ run: RecordedRun) async throws {
        let path = "/\(run.name)"
        for index in 1...5 {
            let body = #"{"Name":"\#(path)/\#(index)","Value":"leaf \#(index)","Type":"String"}"#
            try await run.send(json("ssm", "AmazonSSM.PutParameter", body))
        }
        @Sendable func page(_ token: String?) -> Teapot.Request {
            let next = token.map { #","NextToken":"\#($0)""# } ?? ""
            return json("ssm", "AmazonSSM.GetParametersByPath", #"{"Path":"\#(path)","MaxResults":2\#(next)}"#)
        }
        let pages = try await run.pages(page(nil), as: Parameters.self) { $0.NextToken.map(page) }
        #expect(pages.map { $0.Parameters.map(\.Value) } == [["leaf 1", "leaf 2"], ["leaf 3", "leaf 4"], ["leaf 5"]])
    }

    private struct Secret: Decodable { let Name: String, SecretString: String }
    private struct Secrets: Decodable {
        struct Entry: Decodable { let Name: String, CreatedDate: Double }
        let SecretList: [Entry], NextToken: String?
    }

    private static func makeSecrets(_ run: RecordedRun) async throws -> [String] {
        for index in 1...3 {
            let secret = run.secret("s3cret-managed-\(index)-\(run.name)")
            let body = #"{"Name":"\#(run.name)/\#(index)","SecretString":"\#(secret)"}"#
            try await run.send(json("secretsmanager", "secretsmanager.CreateSecret", body))
        }
        return (1...3).map { "\(run.name)/\($0)" }
    }

    private static func secrets(_ run: RecordedRun) async throws {
        for name in try await makeSecrets(run) {
            let request = json("secretsmanager", "secretsmanager.GetSecretValue", #"{"SecretId":"\#(name)"}"#)
            let secret = try await run.get(Secret.self, request)
            #expect(secret.Name == name)
            _ = try run.take(/(.*)/, from: secret.SecretString)
        }
    }

    private static func namesOfSecrets(_ run: RecordedRun) async throws {
        let names = try await makeSecrets(run)
        let filter = #""Filters":[{"Key":"name","Values":["\#(run.name)"]}]"#
        @Sendable func page(_ token: String?) -> Teapot.Request {
            let next = token.map { #","NextToken":"\#($0)""# } ?? ""
            return json("secretsmanager", "secretsmanager.ListSecrets", #"{"MaxResults":2,\#(filter)\#(next)}"#)
        }
        let pages = try await run.pages(page(nil), as: Secrets.self) { $0.NextToken.map(page) }
        #expect(pages.flatMap { $0.SecretList.map(\.Name) } == names)
    }

    private struct Scan: Decodable {
        let Items: [[String: [String: String]]], LastEvaluatedKey: [String: [String: String]]?
    }

    private static func items(_ run: RecordedRun) async throws {
        let table = #""TableName":"\#(run.name)""#
        let schema = #""KeySchema":[{"AttributeName":"leaf","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST""#
        let definitions = #""AttributeDefinitions":[{"AttributeName":"leaf","AttributeType":"S"}]"#
        @Sendable func request(_ operation: String, _ text: String) -> Teapot.Request {
            json("dynamodb", "DynamoDB_20120810.\(operation)", "{\(table),\(text)}")
        }
        try await run.send(request("CreateTable", "\(schema),\(definitions)"))
        let leaves = ["green", "black", "white"]
        for leaf in leaves {
            let item = #""Item":{"leaf":{"S":"\#(leaf)"},"cup":{"S":"cup of \#(leaf)"}}"#
            try await run.send(request("PutItem", item))
        }
        for leaf in leaves.reversed() {
            let text = try await run.send(request("GetItem", #""Key":{"leaf":{"S":"\#(leaf)"}}"#))
            #expect(text.contains("cup of \(leaf)"))
        }
        @Sendable func page(_ key: String?) -> Teapot.Request {
            let start = key.map { #","ExclusiveStartKey":{"leaf":{"S":"\#($0)"}}"# } ?? ""
            return request("Scan", #""Limit":1\#(start)"#)
        }
        let pages = try await run.pages(page(nil), as: Scan.self) { $0.LastEvaluatedKey?["leaf"]?["S"].map(page) }
        #expect(Set(pages.flatMap { $0.Items.compactMap { $0["cup"]?["S"] } }) == Set(leaves.map { "cup of \($0)" }))
    }
}
