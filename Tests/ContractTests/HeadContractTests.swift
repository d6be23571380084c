#if os(Linux)
    import LoopbackServer
    import Teapot
    import TeapotCurl
    import TestSupport
    import TestTraits
    import Testing

    /// Both transports send the same bytes, except for the order of header fields.
    @Suite(.inTurn)
    struct HeadContractTests {
        struct Call: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let request: @Sendable (TemporaryFolder) throws -> Teapot.Request
            let change: @Sendable (inout URLRequest) -> Void

            init(
                _ what: String,
                _ method: Teapot.HTTPMethod = .get,
                _ path: String = "status/200",
                fields: [String: String] = [:],
                body: Teapot.Request.Body? = nil,
                plugin: @escaping @Sendable (inout URLRequest) -> Void = { _ in }
            ) {
                testDescription = what
                request = { _ in Teapot.Request(method, path: Teapot.Path(path), headerFields: fields, body: body) }
                change = plugin
            }

            init(_ method: Teapot.HTTPMethod, sequenceOf pieces: [String], length: Int) {
                testDescription = "\(method) of a sequence of \(length) bytes"
                request = { _ in
                    let sequence = AsyncStream { stream in
                        for piece in pieces { stream.yield(Data(piece.utf8)) }
                        stream.finish()
                    }
                    return Teapot.Request(
                        method,
                        path: "status/200",
                        body: .stream(sequence, length: length)
                    )
                }
                change = { _ in }
            }

            init(_ method: Teapot.HTTPMethod, fileOf size: Int) {
                testDescription = "\(method) of a file of \(size) bytes"
                request = { folder in
                    try folder.write(String(repeating: "t", count: size), to: "file")
                    return Teapot.Request(method, path: "status/200", body: .file(folder.file("file")))
                }
                change = { _ in }
            }
        }

        static let calls: [Call] =
            [Teapot.HTTPMethod.get, .head, .post, .put, .patch, .delete, "OPTIONS", "TEA"].map { method in
                Call("\(method) without a body", method)
            }
            + [Teapot.HTTPMethod.post, .delete, "TEA"].flatMap { method in
                [
                    Call("\(method) of JSON", method, body: .init(Data(#"{"a":"ü"}"#.utf8))),
                    Call("\(method) of no bytes", method, body: .init(Data())),
                    Call("\(method) of 2 MB", method, body: .init(Data(repeating: 0, count: 2_000_000))),
                    Call("\(method) without a type", method, body: .init(Data("a=b".utf8), contentType: "")),
                    Call("\(method) whose type a plugin removed", method, body: .init(Data("a=b".utf8))) {
                        $0.setValue(nil, forHTTPHeaderField: "Content-Type")
                    },
                    Call(method, fileOf: 0), Call(method, fileOf: 3), Call(method, fileOf: 2_000_000),
                    Call(method, sequenceOf: [], length: 0), Call(method, sequenceOf: ["", "te", "", "a"], length: 3),
                ]
            } + [
                Call("a query", .get, "anything/a b/ü?q=a+b%26c&d=&&e=1#f"),
                Call("a form", .post, body: .form(["a": "b c", "d": "ü&"])),
                Call("a redirect", .get, "redirect-to?url=/anything/there"),
                Call("a POST that becomes a GET", .post, "redirect-to?url=/get", body: .init(Data("{}".utf8))),
                Call(
                    "a POST that stays one",
                    .post,
                    "redirect-to?url=/post&status_code=307",
                    body: .init(Data("{}".utf8))
                ),
                Call("many fields", fields: ["X-A": "", "x-b": "a  b", "X-C": " c\t", "Cookie": "a=b; c=\"d\""]),
            ]
            + ownFields.flatMap { name in
                ["Tea/1", "", " \t"].flatMap { value in
                    [
                        Call("\(name): \(value.debugDescription)", fields: [name: value]),
                        Call("\(name): \(value.debugDescription), of a plugin") {
                            $0.allHTTPHeaderFields = [name: value]
                        },
                    ]
                }
            }

        /// Those that libcurl, FoundationNetworking or Teapot adds, and some that it might.
        static let ownFields = [
            "User-Agent", "user-agent", "Accept", "Accept-Encoding", "accept-language", "Connection", "content-type",
            "Expect",
            "Cookie", "Referer", "Host",
        ]

        @Test(arguments: calls)
        func `both transports send the same`(call: Call) async throws {
            let server = try LoopbackServer()
            let folder = try TemporaryFolder()
            for transport in [URLSessionTransport(), CurlTransport()] as [any Transport] {
                let teapot = Teapot(baseURL: server.baseURL, transport: transport)
                teapot.plugins = [WatchingPlugin(prepare: call.change)]
                // A sequence can be sent once.
                _ = await outcome(of: try call.request(folder), from: teapot)
            }
            let requests = server.requests
            try #require(requests.count > 1 && requests.count.isMultiple(of: 2))
            for (first, second) in zip(requests, requests[(requests.count / 2)...]) {
                #expect(Self.lines(of: first) == Self.lines(of: second))
                #expect(first.body == second.body)
            }
        }

        /// The request line, and the header fields, sorted.
        private static func lines(of request: ReceivedRequest) -> [String] {
            let lines = request.head.components(separatedBy: "\r\n")
            return Array(lines.prefix(1)) + lines.dropFirst().sorted()
        }
    }
#endif
