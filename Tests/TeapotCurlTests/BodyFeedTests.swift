#if os(Linux)
    import LoopbackServer
    import Teapot
    import TeapotCurl
    import TestSupport
    import TestTraits
    import Testing

    /// Bodies that are made while they are sent.
    @Suite(.inTurn)
    struct BodyFeedTests {
        /// Pieces of zeros without an end, which are counted when they are taken.
        private struct Zeros: AsyncSequence, AsyncIteratorProtocol, Sendable {
            let count = Locked(0)

            func makeAsyncIterator() -> Zeros { self }

            func next() async -> Data? {
                count.withLock { $0 += 1 }
                return Data(count: 1 << 18)
            }
        }

        @Test(arguments: [1 << 40, nil])
        func `no more is read than the server takes`(length: Int?) async throws {
            // It reads nothing.
            let server = try LoopbackServer(scripts: [Script([.waitForRelease])])
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport())
            let zeros = Zeros()
            let body = Teapot.Request.Body.stream(zeros, length: length)
            let error = await thrown { () throws(TeapotError) in
                try await teapot.send(Teapot.Request(.post, path: "post", body: body).with { $0.timeoutInterval = 0.5 })
            }
            #expect(error?.code == .timedOut)
            server.release()
            // The capacity of the sockets' buffers: a few megabytes.
            let count = zeros.count.withLock { $0 }
            #expect((1...100).contains(count), "\(count) pieces of 256 KB")
        }

        @Test(
            arguments: brief([
                "413 Content Too Large\r\nContent-Length: 2\r\n\r\n{}",
                "413 Content Too Large\r\nConnection: close\r\n\r\n{}",
                "413 Content Too Large\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "413 Content Too Large\r\nContent-Length: 0\r\n\r\n", "200 OK\r\nContent-Length: 2\r\n\r\n{}",
                "200 OK\r\nContent-Length: 2, 02\r\n\r\n{}",
                "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Tea: late\r\n\r\n",
                "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            ])
        )
        func `a response ends a call whose body has not`(_ argument: Brief<String>) async throws {
            let response = argument.value
            // A close would be a reset, as the request is not read, and that can overtake the response.
            // libcurl sees the end of the connection after the body.
            let end: [Script.Step] = response.contains("close") ? [.pause(0.05), .finishSending, .stall] : [.stall]
            let server = try LoopbackServer(scripts: [Script([.waitForRelease, .send("HTTP/1.1 \(response)")] + end)])
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport())
            // It never ends.
            let (pieces, source) = AsyncStream<Data>.makeStream()
            let ended = Signal()
            source.onTermination = { _ in ended.fire() }
            source.yield(Data("tea".utf8))
            let request = Teapot.Request(.post, path: "post", body: .stream(pieces)).with {
                $0.timeoutInterval = .infinity
            }
            let error = await thrown { () throws(TeapotError) in
                try await teapot.upload(request) { progress in if progress.bytes > 0 { server.release() } }
            }
            #expect(error?.responseStatus == (response.hasPrefix("413") ? 413 : nil))
            await ended.wait()
            source.finish()
            #expect(try await teapot.get("get").status == 200)
        }

        @Test(
            arguments: brief([
                "2\r\n{}\r\n0\r\n\r\n", "2;a=b\r\n{}\r\n0\r\nX-Tea: late\r\n\r\n", "zz\r\n{}\r\n", "2\r\n{}\r\n",
            ])
        )
        func `a response in chunks to a body in chunks`(_ argument: Brief<String>) async throws {
            let chunks = argument.value
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            let isWhole = chunks.hasSuffix("\r\n\r\n")
            // The connection can be used again, unless it is cut off.
            let next: [Script.Step] = isWhole ? [.readRequest, .send("HTTP/1.1 204 No Content\r\n\r\n")] : []
            let server = try LoopbackServer(scripts: [Script([.readRequest, .send(head + chunks)] + next)])
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport())
            let pieces = AsyncStream { stream in
                stream.yield(Data("tea".utf8))
                stream.finish()
            }
            let request = Teapot.Request(.post, path: "post", body: .stream(pieces))
            let result = await outcome(of: request, from: teapot)
            if isWhole {
                #expect(try result.get().text == "{}")
                #expect(try await teapot.get("get").status == 204)
            } else {
                #expect(result.error?.type == .dataTaskError)
            }
            #expect(server.requests.first?.body == Data("tea".utf8))
        }
    }
#endif
