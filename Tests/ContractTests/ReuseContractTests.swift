#if os(Linux)
    import LoopbackServer
    import Teapot
    import TeapotCache
    import TeapotCurl
    import TestSupport
    import TestTraits
    import Testing

    /// What a server does to a connection between two requests.
    @Suite(.inTurn)
    struct ReuseContractTests {
        enum Kind: CaseIterable, Sendable {
            case urlSession, curl, cachedCurl

            var transport: any Transport {
                switch self {
                case .urlSession: URLSessionTransport()
                case .curl: CurlTransport()
                case .cachedCurl: CachingTransport(wrapping: CurlTransport())
                }
            }
        }

        private static func answer(_ text: String, _ status: String = "200 OK") -> Script.Step {
            let body = "{\"is\":\"\(text)\"}"
            return .send("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }

        private static let closes: [String: [Script.Step]] = ["closes it": [], "resets it": [.reset]]
        /// Over `URLSession`, some versions of libcurl take these bytes for the next response.
        private static let stray: [String: [Script.Step]] = [
            "sends another response, and closes it": [answer("stray")],
            "sends 408, and closes it": [answer("stray", "408 Request Timeout")],
            "sends a line break, and closes it": [.send("\r\n")],
        ]

        struct Row: Sendable, CustomTestStringConvertible {
            let kind: Kind
            let method: Teapot.HTTPMethod
            let idle: String

            var testDescription: String { "\(idle), before a \(method) over \(kind)" }
        }

        private static let rows: [Row] = Kind.allCases.flatMap { kind in
            // libcurl 8.23 looks at a connection once a second at most, and so sends a `POST` of a session in vain.
            let methods: [Teapot.HTTPMethod] = kind == .urlSession ? [.get] : [.get, .post]
            let names = closes.keys.sorted() + (kind == .urlSession ? [] : stray.keys.sorted())
            return methods.flatMap { method in names.map { Row(kind: kind, method: method, idle: $0) } }
        }

        @Test(arguments: rows)
        func `a kept connection is not used if the server`(_ row: Row) async throws {
            let idle = Self.closes[row.idle] ?? Self.stray[row.idle] ?? []
            let server = try LoopbackServer(scripts: [
                Script([.readRequest, Self.answer("first"), .waitForRelease] + idle),
                Script([.readRequest, Self.answer("second"), .stall]),
            ])
            let teapot = Teapot(baseURL: server.baseURL, transport: row.kind.transport)
            #expect(try await teapot.get("first").text == #"{"is":"first"}"#)
            server.release()
            await server.scriptsFinished(1)
            // The end of a connection may arrive later than the server's call that closes it returns.
            await eventually { !ClientSocket.all(to: server.port).values.contains { $0.state == .established } }
            let body = row.method == .get ? nil : Teapot.Request.Body(Data("{}".utf8))
            let response = try await teapot.send(Teapot.Request(row.method, path: "second", body: body))
            #expect(response.text == #"{"is":"second"}"#)
            #expect(server.requests.map(\.path) == ["/first", "/second"])
        }
    }
#endif
