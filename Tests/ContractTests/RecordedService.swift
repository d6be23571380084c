import Teapot
import Testing

/// What a client does with a server at the URL in an environment variable.
struct RecordedService: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let variable: String
    let run: @Sendable (RecordedRun) async throws -> Void
    /// Requests that differ from those of the run in what they name. The text is the name of the run.
    let unrecorded: @Sendable (String) -> [Teapot.Request]
    /// Whether it sends trailer fields, which end a process that uses `URLSession` on Linux before Swift 6.4.
    var endsInTrailers = false
    /// Names that are those of secrets elsewhere.
    var harmlessNames: [String] = []

    var url: URL? { ProcessInfo.processInfo.environment[variable].flatMap { URL(string: $0) } }

    static var running: [RecordedService] { (etcd + rabbitMQ + aws + links).filter { $0.url != nil } }

    private static func post(_ path: Teapot.Path, _ json: String) -> Teapot.Request {
        Teapot.Request(.post, path: path, body: Teapot.Request.Body(Data(json.utf8)))
    }
}

// MARK: - etcd

extension RecordedService {
    private static let etcd = [
        RecordedService(
            testDescription: "etcd: values by key",
            variable: "TEAPOT_ETCD_URL",
            run: { try await withUsers($0, readAndWrite) },
            unrecorded: { name in
                [
                    post("kv/range", #"{"key":"\#(base64("\(name)/none"))"}"#),
                    post("kv/put", #"{"key":"\#(base64("\(name)/1"))","value":"\#(base64("none"))"}"#),
                    post("auth/authenticate", #"{"name":"root","password":"s3cret-never-recorded"}"#),
                ]
            },
            endsInTrailers: true
        ),
        RecordedService(
            testDescription: "etcd: the password as a value",
            variable: "TEAPOT_ETCD_URL",
            run: { run in
                try await withUsers(run) { run, password in
                    let key = #""key":"\#(base64("\(run.name)/password"))""#
                    try await run.send(.post, "kv/put", #"{\#(key),"value":"\#(base64(password))"}"#)
                    try await run.send(.post, "kv/range", "{\(key)}")
                }
            },
            unrecorded: { _ in [] },
            endsInTrailers: true
        ),
    ]

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// Logs in, with a wrong password first, and removes the users in the end.
    private static func withUsers(
        _ run: RecordedRun,
        _ body: (RecordedRun, _ password: String) async throws -> Void
    ) async throws {
        let password = run.secret("s3cret-root/password+1")
        for (path, text) in [
            ("user/add", #"{"name":"root","password":"\#(password)"}"#), ("role/add", #"{"name":"root"}"#),
            ("user/grant", #"{"user":"root","role":"root"}"#), ("enable", "{}"),
            ("authenticate", #"{"name":"root","password":"\#(run.secret("s3cret-wrong"))"}"#),
        ] { try await run.send(.post, "auth/\(raw: path)", text) }
        let login = #"{"name":"root","password":"\#(password)"}"#
        let token = try run.take(/"token":"([^"]+)"/, from: try await run.send(.post, "auth/authenticate", login))
        run.teapot.plugins = [Credential(headerField: "Authorization", value: token)]
        try await body(run, password)
        for (path, text) in [
            ("disable", "{}"), ("user/delete", #"{"name":"root"}"#), ("role/delete", #"{"role":"root"}"#),
        ] { try await run.send(.post, "auth/\(raw: path)", text) }
    }

    private struct Range: Decodable {
        struct Pair: Decodable { let key: Data, value: Data }
        let kvs: [Pair]?, more: Bool?
    }

    private static func readAndWrite(_ run: RecordedRun, _ password: String) async throws {
        let pairs = (1...5).map { ("\(run.name)/\($0)", "leaf \($0) \u{1FAD6}") }
        for (key, value) in pairs {
            try await run.send(.post, "kv/put", #"{"key":"\#(base64(key))","value":"\#(base64(value))"}"#)
        }
        for (key, value) in pairs.reversed() {
            let range = try await run.get(Range.self, post("kv/range", #"{"key":"\#(base64(key))"}"#))
            #expect(range.kvs?.map { $0.value.text } == [value])
        }
        #expect(try await run.get(Range.self, post("kv/range", #"{"key":"\#(base64("none"))"}"#)).kvs == nil)
        let end = base64("\(run.name)0")
        @Sendable func page(from key: String) -> Teapot.Request {
            post("kv/range", #"{"key":"\#(base64(key))","range_end":"\#(end)","limit":"2"}"#)
        }
        let pages = try await run.pages(page(from: "\(run.name)/"), as: Range.self) { range in
            range.more == true ? range.kvs?.last.map { page(from: $0.key.text + "\0") } : nil
        }
        #expect(pages.map { $0.kvs?.count } == [2, 2, 1])
        #expect(pages.flatMap { ($0.kvs ?? []).map { $0.value.text } } == pairs.map(\.1))
        let all = #"{"key":"\#(base64("\(run.name)/"))","range_end":"\#(end)","prev_kv":true}"#
        #expect(try await run.send(.post, "kv/deleterange", all).contains(#""deleted":"5""#))
    }
}

// MARK: - RabbitMQ

extension RecordedService {
    private static let rabbitMQ = [
        RecordedService(
            testDescription: "RabbitMQ: bindings and messages",
            variable: "TEAPOT_RABBITMQ_URL",
            run: routeMessages,
            unrecorded: { name in
                [
                    post("exchanges/\(name)%2Fvh/leaves/publish", message("leaf.none", "1")),
                    post("exchanges/\(name)%2Fvh/leaves/publish", message("leaf.green.1", "none")),
                    "bindings/\(name)%2Fvh/e/leaves/q/none", "queues/\(name)%2Fvh?page=4&page_size=1",
                ]
            }
        ),
        RecordedService(
            testDescription: "RabbitMQ: counts of attempts",
            variable: "TEAPOT_RABBITMQ_URL",
            run: { run in
                run.teapot.plugins = [Credential.basic(username: "guest", password: "guest")]
                let node = try await run.get(Node.self, "overview").node
                #expect(try await run.get([Attempts].self, "auth/attempts/\(node)").count == 1)
            },
            unrecorded: { _ in ["auth/attempts/none"] }
        ),
    ]

    private struct Node: Decodable { let node: String }
    private struct Attempts: Decodable {
        let auth_attempts: Int, auth_attempts_failed: Int, auth_attempts_succeeded: Int
    }
    private struct Binding: Decodable {
        let destination: String, routing_key: String, arguments: [String: String]
    }
    private struct Message: Decodable {
        let routing_key: String, payload: String, message_count: Int
    }
    private struct QueuePage: Decodable {
        struct Queue: Decodable { let name: String }
        let page: Int, page_count: Int, items: [Queue]
    }

    private static func message(_ key: String, _ payload: String) -> String {
        #"{"properties":{},"routing_key":"\#(key)","payload":"\#(payload)","payload_encoding":"string"}"#
    }

    private static func routeMessages(_ run: RecordedRun) async throws {
        let (name, host, password) = (run.name, "\(run.name)/vh", run.secret("s3cret-rabbit/password+1"))
        _ = run.secret("guest:guest")
        run.teapot.plugins = [Credential.basic(username: "guest", password: "guest")]
        try await run.send(.put, "vhosts/\(host)", "{}")
        try await run.send(.put, "users/\(name)", #"{"password":"\#(password)","tags":"administrator"}"#)
        let all = #"{"configure":".*","write":".*","read":".*"}"#
        try await run.send(.put, "permissions/\(host)/\(name)", all)
        _ = try run.take(/"password_hash":"([^"]+)"/, from: try await run.send(.get, "users/\(name)"))
        run.teapot.plugins = [Credential.basic(username: name, password: password)]
        #expect(try await run.send(.get, "whoami").contains(#""name":"\#(name)""#))
        try await run.send(.put, "exchanges/\(host)/leaves", #"{"type":"topic","durable":false}"#)
        for queue in ["green", "black", "white"] {
            try await run.send(.put, "queues/\(host)/\(queue)", #"{"durable":false}"#)
            let bindings: Teapot.Path = "bindings/\(host)/e/leaves/q/\(queue)"
            let keys = ["leaf.\(queue).#.cup", "leaf.\(queue).*"]
            for key in keys {
                try await run.send(.post, bindings, #"{"routing_key":"\#(key)","arguments":{"note":"\#(key)!"}}"#)
            }
            let found = try await run.get([Binding].self, Teapot.Request(path: bindings))
            #expect(found.map(\.routing_key).sorted() == keys)
            #expect(found.allSatisfy { $0.destination == queue && $0.arguments == ["note": "\($0.routing_key)!"] })
        }
        let keys = ["leaf.green.1", "leaf.black.1", "leaf.green.2", "leaf.none.1", "leaf.green.3"]
        for (index, key) in keys.enumerated() {
            let answer = try await run.send(.post, "exchanges/\(host)/leaves/publish", message(key, "\(index)"))
            #expect(answer == #"{"routed":\#(key != "leaf.none.1")}"#)
        }
        let payload = #"{\"leaf\":1,\"token\":\"\#(run.secret("s3cret-payload-token"))\"}"#
        try await run.send(.post, "exchanges/\(host)/leaves/publish", message("leaf.black.2", payload))
        // Equal requests with different answers.
        let get = #"{"count":1,"ackmode":"ack_requeue_false","encoding":"auto"}"#
        var messages: [Message] = []
        for queue in ["green", "green", "black", "green", "black", "green"] {
            messages += try await run.get([Message].self, post("queues/\(host)/\(queue)/get", get))
        }
        #expect(messages.map(\.routing_key) == [keys[0], keys[2], keys[1], keys[4], "leaf.black.2"])
        #expect(messages.map(\.message_count) == [2, 1, 1, 0, 0])
        #expect(messages.prefix(4).map(\.payload) == ["0", "2", "1", "4"])
        let pages = try await run.pages("queues/\(host)?page=1&page_size=1", as: QueuePage.self) { page in
            page.page < page.page_count ? "queues/\(host)?page=\(page.page + 1)&page_size=1" : nil
        }
        #expect(pages.flatMap { $0.items.map(\.name) } == ["black", "green", "white"])
        let upstream: Teapot.Path = "parameters/federation-upstream/\(host)/leaves"
        let user = run.secret("tea:\(run.secret("s3cret-uri-password"))")
        try await run.send(.put, upstream, #"{"value":{"uri":"amqp://\#(user)@127.0.0.1","prefetch-count":7}}"#)
        #expect(try await run.send(.get, upstream).contains(#""prefetch-count":7"#))
        try await run.send(.delete, "vhosts/\(host)")
        try await run.send(.delete, "users/\(name)")
    }
}

// MARK: - Pages by links

extension RecordedService {
    private static let links = [
        RecordedService(
            testDescription: "pages by links",
            variable: "TEAPOT_LINKS_URL",
            run: { run in
                let token = run.secret("s3cret-links-token")
                let pages = try await run.pages("items?page_size=2&access_token=\(token)", as: [String].self)
                #expect(pages == [["leaf 1", "leaf 2"], ["leaf 3", "leaf 4"], ["leaf 5"]])
                let key = run.secret("s3cret-links-key")
                let first = Teapot.Request(path: "items", query: ["page_size": "4", "key": key])
                #expect(try await run.pages(first, as: [String].self).map(\.count) == [4, 1])
                try await run.send(.get, "items?page_size=2&access_token=\(token)&page_token=none")
            },
            unrecorded: { _ in
                [
                    "items?page_size=2&access_token=s3cret-links-token&page_token=no-such", "items?page_size=2",
                    "items?page_size=2&access_token=s3cret-never-recorded",
                ]
            }
        )
    ]
}
