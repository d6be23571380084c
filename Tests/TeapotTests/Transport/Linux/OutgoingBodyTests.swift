#if canImport(FoundationNetworking)
    import Foundation
    import LoopbackServer
    import Teapot
    import TestSupport
    import TestTraits
    import Testing

    /// Bodies of requests, against servers that do not take them to the end. Each test has a process of its own, since it is the
    /// process that would end.
    @Suite(.inTurn, .exitTests)
    struct OutgoingBodyTests {
        private static let tooLarge = "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\n{}"
        /// From a server that takes no other request. libcurl 8.14 keeps a connection on which the whole body was sent,
        /// whatever the status, and another request would wait there for an answer that never comes.
        private static let tooLargeAndLast =
            "HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"

        /// The scripts of a server, by name.
        private static let scripts: [String: [Script.Step]] = [
            "closes at once": [.close],
            "resets at once": [.reset],
            "closes a little later": [.pause(0.002), .close],
            "resets a little later": [.pause(0.002), .reset],
            "answers 413 and closes": [.send(tooLarge), .close],
            "answers 413 and resets": [.send(tooLarge), .pause(0.002), .reset],
            "answers 413 and reads on": [.send(tooLargeAndLast), .stall],
            "reads all and closes": [.readRequest, .close],
            "reads all and resets": [.readRequest, .reset],
            "answers in part and resets": [
                .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"), .reset,
            ],
        ]

        /// More than a hundred uploads in all.
        @Test(arguments: scripts.keys.sorted())
        func `no server ends the process`(name: String) async {
            await #expect(processExitsWith: .success) { [name] in
                let steps = try #require(OutgoingBodyTests.scripts[name])
                let server = try LoopbackServer(recordsRequests: false)
                let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
                let folder = try TemporaryFolder()
                for size in [100, 70_000, 5_000_000] {
                    let file = folder.file("body")
                    try Data(count: size).write(to: file)
                    await withTaskGroup { group in
                        for method in [Teapot.HTTPMethod.put, .post] {
                            for body in [.file(file), Teapot.Request.Body(Data(count: size), contentType: "a/b")] {
                                server.run(Script(steps))
                                let request = Teapot.Request(method, path: "digest", body: body)
                                group.addTask { _ = try? await teapot.send(request) }
                            }
                        }
                    }
                }
                let other = try LoopbackServer()
                teapot.baseURL = other.baseURL
                try await teapot.get("get")
            }
        }

        /// Six steady uploads, which have six connections.
        @Test func `an upload that is cancelled stops at once`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer(scripts: Array(repeating: Script([.stall]), count: 6))
                let teapot = Teapot(baseURL: server.baseURL)
                teapot.timeoutInterval = .infinity
                let folder = try TemporaryFolder()
                let file = folder.file("body")
                try Data().write(to: file)
                try #require(truncate(file.path, 20_000_000_000) == 0)
                let signals = (0..<6).map { _ in Signal() }
                let tasks = signals.map { isUnderWay in
                    Task {
                        try? await teapot.upload(Teapot.Request(.put, path: "x", body: .file(file))) { step in
                            if step.bytes > 20_000_000 { isUnderWay.fire() }
                        }
                    }
                }
                for isUnderWay in signals { await isUnderWay.wait() }
                let count = server.discardedBytes
                for task in tasks { task.cancel() }
                // Without a free connection this would wait.
                try await teapot.get("get")
                await server.scriptsFinished(6)
                // At most the bytes in the buffers of the sockets.
                #expect(server.discardedBytes - count < 100_000_000)
            }
        }

        // MARK: - Connections that close

        /// In turn: by the first request a connection is made, and by the second it is closed.
        private static let closings: [String: [Script.Step]] = [
            "closed": [.readRequest, .close],
            "reset": [.readRequest, .reset],
            "closed before it is read": [.close],
            "reset before it is read": [.reset],
        ]

        @Test(arguments: closings.keys.sorted(), [false, true])
        func `a PUT whose connection is closed is sent again, and a POST fails`(name: String, isFile: Bool) async {
            await #expect(processExitsWith: .success) { [name, isFile] in
                let steps = try #require(OutgoingBodyTests.closings[name])
                let first: [Script.Step] = [
                    .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"), .waitForRelease,
                ]
                let folder = try TemporaryFolder()
                let file = folder.file("body")
                let size = 300_000
                try GeneratedFile.bytes(0..<size).write(to: file)
                let body: Teapot.Request.Body =
                    isFile ? .file(file) : .init(Data(GeneratedFile.bytes(0..<size)), contentType: "a/b")
                for method in [Teapot.HTTPMethod.put, .post] {
                    let server = try LoopbackServer(scripts: [Script(first + steps)])
                    let teapot = Teapot(baseURL: server.baseURL)
                    teapot.timeoutInterval = .infinity
                    try await teapot.get("get")
                    let isSending = Signal()
                    let call = Task {
                        await Result(of: { () throws(TeapotError) in
                            let request = Teapot.Request(method, path: "digest", body: body)
                            return try await teapot.upload(request) { if $0.bytes > 0 { isSending.fire() } }
                        })
                    }
                    await isSending.wait()
                    server.release()
                    switch await call.value {
                    case .success(let response):
                        #expect(method == .put)
                        #expect(response.json?.dictionary?["digest"] as? String == GeneratedFile.digest(0..<size).text)
                    case .failure(let error):
                        let code = error.code
                        #expect(code == .networkConnectionLost)
                        // Where nothing was read the system makes a reset of it, and libcurl says so.
                        #expect(
                            method == .post || !steps.contains { if case .readRequest = $0 { true } else { false } }
                        )
                    }
                }
            }
        }

        @Test func `the request's isIdempotent decides whether it is sent again`() async {
            await #expect(processExitsWith: .success) {
                for (method, isIdempotent) in [(Teapot.HTTPMethod.put, false), (.post, true)] {
                    let answer = Script.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                    let server = try LoopbackServer(scripts: [Script([.readRequest, answer, .readRequest, .close])])
                    let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
                    try await teapot.get("get")
                    var request = Teapot.Request(method, path: "digest", body: .init(Data(count: 9)))
                    request.isIdempotent = isIdempotent
                    switch await outcome(of: request, from: teapot) {
                    case .success: #expect(isIdempotent)
                    case .failure(let error):
                        #expect(!isIdempotent)
                        #expect(error.code == .networkConnectionLost)
                    }
                    #expect(server.requests.count == (isIdempotent ? 3 : 2))
                }
            }
        }
    }
#endif
