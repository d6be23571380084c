#if os(Linux)
    import LoopbackServer
    import Teapot
    import TeapotCurl
    import TestSupport
    import TestTraits
    import Testing

    /// `Expect: 100-continue` of a caller (RFC 9110, section 10.1.1).
    @Suite(.inTurn)
    struct ExpectContractTests {
        private static let body = Teapot.Request.Body(Data(count: 200_000), contentType: "text/x-tea")
        private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

        private func call(_ server: LoopbackServer, over transport: any Transport) async -> Result<
            Teapot.Response, TeapotError
        > {
            let teapot = Teapot(baseURL: server.baseURL, transport: transport)
            teapot.timeoutInterval = 60
            let fields = ["Expect": "100-continue"]
            return await outcome(of: .init(.put, path: "put", headerFields: fields, body: Self.body), from: teapot)
        }

        @Test(arguments: [true, false], brief(["", "HTTP/1.1 103 Early Hints\r\n\r\n"]))
        func `the body is sent once the server continues`(isCurl: Bool, before: Brief<String>) async throws {
            let interim = "\(before.value)HTTP/1.1 100 Continue\r\n\r\n"
            let server = try LoopbackServer(scripts: [Script([.readHead, .send(interim), .readBody, .send(Self.ok)])])
            let result = await call(server, over: isCurl ? CurlTransport() : URLSessionTransport())
            #expect(try result.get().text == "{}")
            #expect(server.requests.map(\.body.count) == [200_000])
        }

        @Test(arguments: [true, false])
        func `the body is sent after a second in any case`(isCurl: Bool) async throws {
            let server = try LoopbackServer(scripts: [Script([.readHead, .readBody, .send(Self.ok)])])
            let start = ContinuousClock.now
            let result = await call(server, over: isCurl ? CurlTransport() : URLSessionTransport())
            #expect(try result.get().text == "{}")
            #expect(server.requests.map(\.body.count) == [200_000])
            #expect(start.duration(to: .now) >= .milliseconds(990))
        }

        /// libcurl, and so `URLSession`, sends a request again after 417.
        @Test(
            arguments: brief([
                "417 Expectation Failed\r\nContent-Length: 2\r\n\r\n{}",
                "417 Expectation Failed\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}",
                "401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}",
                "413 Content Too Large\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "200 OK\r\nContent-Length: 2\r\n\r\n{}",
                "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "200 OK\r\nConnection: close\r\n\r\n{}",
            ])
        )
        func `the body is not sent after a final response, over CurlTransport`(_ argument: Brief<String>) async throws {
            let answer = argument.value
            let isCutOff = answer.hasSuffix("close\r\n\r\n{}")
            let server = try LoopbackServer(scripts: [
                // libcurl sees the end of the connection after the body.
                Script([.readHead, .send("HTTP/1.1 \(answer)")] + (isCutOff ? [.pause(0.05), .close] : [.stall]))
            ])
            let result = await call(server, over: CurlTransport())
            let text = (try? result.get().text) ?? result.error?.data.map { String(decoding: $0, as: UTF8.self) }
            #expect(text == "{}")
            #expect((try? result.get().status) ?? result.error?.responseStatus == Int(answer.prefix(3)))
            await server.scriptsFinished(1)
            #expect(server.discardedBytes == 0)
        }

        @Test func `without a body there is nothing to wait for`() async throws {
            let server = try LoopbackServer()
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport())
            for body in [nil, Teapot.Request.Body(Data())] {
                let fields = ["Expect": "100-continue"]
                let request = Teapot.Request(.post, path: "post", headerFields: fields, body: body)
                #expect(try await outcome(of: request, from: teapot).get().status == 200)
            }
            #expect(server.requests.map { $0.header("Expect") } == ["100-continue", "100-continue"])
        }
    }
#endif
