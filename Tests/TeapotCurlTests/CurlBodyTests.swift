#if os(Linux)
    import LoopbackServer
    import Teapot
    @testable import TeapotCurl
    import TestSupport
    import TestTraits
    import Testing

    /// Bodies with content codings, which `CurlTransport` decodes itself, in steps.
    @Suite(.inTurn)
    struct CurlBodyTests {
        private func teapot(_ server: LoopbackServer, canDecode: Bool = true) throws -> Teapot {
            var library = try CurlLibrary.current.get()
            library.canDecode = canDecode
            return Teapot(baseURL: server.baseURL, transport: CurlTransport(library: .success(library)))
        }

        private func response(_ coding: String, _ body: Data) -> Script {
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"
            return Script([.readRequest, .send(head), .send(body)])
        }

        /// `BodyFuzzCase` has all combinations of the usual names.
        @Test(arguments: ["x-gzip", "GZIP", "identity,, gzip", "none"])
        func `a coding may have another name`(codings: String) async throws {
            let text = Data("Earl Grey".utf8)
            let script = response(codings, codings == "none" ? text : StoredCompression.gzip(text))
            let server = try LoopbackServer(scripts: [script])
            #expect(try await teapot(server).get("get").data == text)
        }

        @Test(arguments: [
            ("br", "br, which Teapot cannot decode"), ("gzip, tea", "tea, which Teapot cannot decode"),
            ("gzip, gzip, gzip, gzip, gzip, gzip", "more than 5 content codings"), ("gzip", "incorrect header check"),
        ])
        func `a coding that cannot be decoded is an error that names it`(coding: String, reason: String) async throws {
            let server = try LoopbackServer(scripts: [response(coding, Data("tea".utf8))])
            let teapot = try teapot(server)
            let error = await thrown { () throws(TeapotError) in try await teapot.get("get") }
            #expect(error?.type == .dataTaskError)
            #expect(error?.code == .cannotDecodeContentData)
            #expect(error?.failureReason?.contains(reason) == true, "\(error?.failureReason ?? "")")
            #expect(try await teapot.get("get").status == 200)
        }

        @Test func `a coding that the caller accepts is the caller's to decode`() async throws {
            let server = try LoopbackServer(scripts: [response("br", Data("tea".utf8))])
            let response = try await teapot(server).get("get", headerFields: ["Accept-Encoding": "br;q=1.0, gzip"])
            #expect(response.text == "tea")
            #expect(server.requests.first?.header("Accept-Encoding") == "br;q=1.0, gzip")
        }

        @Test func `gzip and deflate are offered, and nothing without zlib`() async throws {
            let server = try LoopbackServer()
            try await teapot(server).get("get")
            let teapot = try teapot(server, canDecode: false)
            try await teapot.get("get")
            #expect(server.requests.map { $0.header("Accept-Encoding") } == ["gzip, deflate", "identity"])
            let error = await thrown { () throws(TeapotError) in try await teapot.get("gzip") }
            #expect(error?.code == .cannotDecodeContentData)
        }

        // MARK: - One peer and the others

        /// Zeros without end.
        private func endlessZeros() throws -> LoopbackServer {
            // After the first byte, 13 bytes are repeated.
            let zeros = DeflatedZeros(atMost: 1 << 26).stream
            let repeated = Data(zeros.dropFirst().prefix(13 * 30_000))
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n"
            let steps: [Script.Step] = [.readRequest, .send(head), .send(Data(zeros.prefix(1)))]
            return try LoopbackServer(scripts: [Script(steps + Array(repeating: .send(repeated), count: 10_000))])
        }

        @Test func `another host is answered while a body is decoded`() async throws {
            let (bad, good) = (try endlessZeros(), try LoopbackServer())
            let transport = CurlTransport()
            let (begun, ended) = (Signal(), Signal())
            let count = Locked(0)
            let task = transport.start(TransportRequest(URLRequest(url: bad.baseURL))) { event in
                switch event.kind {
                case .data(let data):
                    count.withLock { $0 += data.count }
                    begun.fire()
                case .finished: ended.fire()
                default: break
                }
            }
            await begun.wait()
            let teapot = Teapot(baseURL: good.baseURL, transport: transport)
            for _ in 0..<5 { try await teapot.get("get") }
            let before = count.withLock { $0 }
            for _ in 0..<5 { try await teapot.get("get") }
            // It goes on beside them.
            #expect(count.withLock { $0 } > before)
            task?.cancel()
            await ended.wait()
        }

        @Test func `a reader that pauses holds a coded body back at once`() async throws {
            let zeros = DeflatedZeros(atMost: 50_000_000)
            let server = try LoopbackServer(scripts: [response("deflate", Data(zeros.stream))])
            let count = Locked(0)
            let (begun, ended) = (Signal(), Signal())
            let task = Locked<(any TransportTask)?>(nil)
            let failure = Locked<(any Error)?>(nil)
            let transport = CurlTransport()
            // The first piece pauses the task, which is known by then.
            let isKnown = DispatchSemaphore(value: 0)
            let started = transport.start(TransportRequest(URLRequest(url: server.baseURL))) { event in
                switch event.kind {
                case .response: isKnown.wait()
                case .data(let data) where !data.isEmpty:
                    let isFirst = count.withLock { count in
                        defer { count += data.count }
                        return count == 0
                    }
                    if isFirst { task.withLock { $0 }?.suspend() }
                    begun.fire()
                case .finished(let error):
                    failure.withLock { $0 = error }
                    ended.fire()
                default: break
                }
            }
            task.withLock { $0 = started }
            isKnown.signal()
            await begun.wait()
            // Other exchanges on the thread are answered meanwhile.
            let other = try LoopbackServer()
            for _ in 0..<5 { try await Teapot(baseURL: other.baseURL, transport: transport).get("get") }
            #expect(count.withLock { $0 } <= 65_536)
            started?.resume()
            await ended.wait()
            #expect(failure.withLock { $0 } == nil)
            #expect(count.withLock { $0 } == zeros.count)
        }

        @Test func `a body that is damaged where the reader has paused is an error once it resumes`() async throws {
            // A block without compression, and one whose length does not match (RFC 1951, section 3.2.4).
            let block = [0, 0x20, 0x4E, 0xDF, 0xB1] + [UInt8](repeating: 0x61, count: 20_000) + [0, 1, 2, 3, 4]
            let server = try LoopbackServer(scripts: [response("deflate", Data([0x78, 0x01] + block))])
            let bytes = try await teapot(server).bytes("get")
            var count = 0
            let error = await thrown { () throws(TeapotError) in
                for try await chunk in bytes { count += chunk.count }
            }
            #expect(error?.type == .dataTaskError)
            #expect(count == 20_000)
        }

        @Test func `a body that is cut off while it is decoded keeps what came`() async throws {
            // More than 64 KB would make libcurl wait, and libcurl 8.14 loses what waits in it when the connection closes.
            let zeros = DeflatedZeros(atMost: 9_000_000)
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: \(zeros.stream.count)\r\n\r\n"
            let script = Script([.readRequest, .send(head), .send(Data(zeros.stream.dropLast(100))), .close])
            let server = try LoopbackServer(scripts: [script])
            let teapot = try teapot(server)
            let error = await thrown { () throws(TeapotError) in try await teapot.get("get") }
            #expect(error?.type == .dataTaskError)
            #expect(error?.code == .networkConnectionLost)
            #expect(zeros.stream.count < 1 << 16)
            #expect(try #require(error?.data).count > zeros.count - 1_000_000)
        }
    }
#endif
