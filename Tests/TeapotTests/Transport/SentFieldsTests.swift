#if canImport(FoundationNetworking)
    import LoopbackServer
    @testable import Teapot
    import TestSupport
    import TestTraits
    import Testing

    /// The header fields that Teapot adds. `HeadContractTests` compares those of both transports.
    @Suite(.inTurn)
    struct SentFieldsTests {
        @Test(
            arguments: brief(
                [
                    ("notes", "2.1", "notes/2.1 Teapot/1.0.0"), ("notes", "", "notes Teapot/1.0.0"),
                    ("My Notes (deleted)", "2 b/3", "My-Notes--deleted-/2-b-3 Teapot/1.0.0"),
                    ("ü\u{301}!", "", "-! Teapot/1.0.0"),
                    ("a\r\nB: c", "", "a-B--c Teapot/1.0.0"), ("", "", "Teapot/1.0.0"), ("", "2.1", "Teapot/1.0.0"),
                ] as [(String, String, String)]
            )
        )
        func `User-Agent names the program and Teapot`(_ argument: Brief<(String, String, String)>) {
            let (program, version, expected) = argument.value
            #expect(SentFields.userAgent(program: program, version: version) == expected)
        }

        @Test func `User-Agent is sent unless the client or the call has another one`() async throws {
            let server = try LoopbackServer()
            let teapot = Teapot(baseURL: server.baseURL)
            try await teapot.get("get")
            let program = try #require(ProcessInfo.processInfo.arguments.first)
            let name = URL(filePath: program).lastPathComponent
            #expect(server.requests.last?.header("User-Agent") == "\(name) Teapot/\(Teapot.version)")
            teapot.headerFields = ["user-agent": "notes/2"]
            try await teapot.get("get")
            #expect(server.requests.last?.header("User-Agent") == "notes/2")
            try await teapot.get("get", headerFields: ["User-Agent": ""])
            #expect(server.requests.count == 3)
            #expect(server.requests.last?.header("User-Agent") == nil)
        }
    }
#endif
