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
        /// libcurl 7.88 takes these bytes for the next response, over `URLSession`, too.
        private static let stray: [String: [Script.Step]] = [
            "sends another response, and closes it": [answer("stray")],
            "sends 408, and closes it": [answer("stray", "408 Request Timeout")],
            "sends a line break, and closes it": [.send("\r\n")],
        ]
        private static let rows: [(String, Kind)] =
            Kind.allCases.flatMap { kind in
                (closes.keys.sorted() + (kind == .urlSession ? [] : stray.keys.sorted())).map { ($0, kind) }
            }

        @Test(arguments: rows, [HTTPMethod.get, .post])
        func `an idle connection is not used if the server`(_ row: (String, Kind), _ method: HTTPMethod) async throws {
            let idle = Self.closes[row.0] ?? Self.stray[row.0] ?? []
            let server = try LoopbackServer(scripts: [
                Script([.readRequest, Self.answer("first"), .waitForRelease] + idle),
                Script([.readRequest, Self.answer("second"), .stall]),
            ])
            let teapot = Teapot(baseURL: server.baseURL, transport: row.1.transport)
            #expect(try await teapot.get("first").text == #"{"is":"first"}"#)
            server.release()
            await server.scriptsFinished(1)
            let body = method == .get ? nil : Teapot.Request.Body(Data("{}".utf8))
            let response = try await teapot.send(Teapot.Request(method, path: "second", body: body))
            #expect(response.text == #"{"is":"second"}"#)
            #expect(server.requests.map(\.path) == ["/first", "/second"])
        }
    }
#endif
