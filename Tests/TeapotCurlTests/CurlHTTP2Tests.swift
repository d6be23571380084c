#if os(Linux)
    import LoopbackServer
    import Teapot
    import TeapotCurl
    import TestSupport
    import TestTraits
    import Testing

    /// HTTP/2 without TLS, in frames of a script (RFC 9113, section 4.1).
    @Suite(.inTurn)
    struct CurlHTTP2Tests {
        private static let (data, headers, reset, settings) = (UInt8(0), UInt8(1), UInt8(3), UInt8(4))
        private static let (endOfStream, endOfHeaders) = (UInt8(1), UInt8(4))

        private static func frame(_ kind: UInt8, _ flags: UInt8, _ payload: [UInt8], stream: UInt8 = 1) -> Data {
            Data([0, 0, UInt8(payload.count), kind, flags, 0, 0, 0, stream] + payload)
        }

        /// A header with fields as literals (RFC 7541, section 6.2.2).
        private static func header(_ status: Int, _ fields: [String: String] = [:]) -> Data {
            func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
            let all = [(":status", "\(status)")] + fields.map { ($0.key, $0.value) }
            let payload = all.flatMap { pair -> [UInt8] in [0] + text(pair.0) + text(pair.1) }
            return frame(settings, 0, [], stream: 0) + frame(headers, endOfHeaders, payload)
        }

        private static let body = frame(data, endOfStream, Array("{}".utf8))

        private let transport: CurlTransport = {
            var configuration = CurlTransport.Configuration()
            configuration.httpVersion = .http2
            return CurlTransport(configuration: configuration)
        }()

        private struct Ending: Sendable {
            var status: Int?
            var data = Data()
            var error: (any Error)?
        }

        /// Sends more than fits into the window of a stream, which does not grow. The server continues once some of it was sent, and
        /// once some of the response has arrived.
        private func upload(to server: LoopbackServer) async -> Ending {
            let ending = Locked(Ending())
            let (ended, isSent) = (Signal(), Locked(false))
            var request = URLRequest(url: server.baseURL)
            request.httpMethod = "PUT"
            request.httpBody = Data(count: 300_000)
            let task = transport.start(TransportRequest(request)) { event in
                switch event.kind {
                case .sent:
                    let isFirst = isSent.withLock { isSent in
                        defer { isSent = true }
                        return !isSent
                    }
                    if isFirst { server.release() }
                case .response(let response): ending.withLock { $0.status = response.status }
                case .data(let data):
                    ending.withLock { $0.data += data }
                    server.release()
                case .measured, .queued, .scheduled: break
                case .finished(let error):
                    ending.withLock { $0.error = error }
                    ended.fire()
                }
            }
            await ended.wait()
            withExtendedLifetime(task) {}
            return ending.withLock { $0 }
        }

        @Test func `a whole response ends an upload that the server does not take`() async throws {
            for (script, status, data) in [
                ([Self.header(200, ["content-length": "2"]) + Self.body], 200, "{}"), ([Self.header(204)], 204, ""),
                // libcurl 7.88 loses the response if the reset comes in the same piece.
                ([Self.header(200) + Self.body, Self.frame(Self.reset, 0, [0, 0, 0, 0])], 200, "{}"),
            ] {
                let steps = script.flatMap { [Script.Step.waitForRelease, .send($0)] }
                let server = try LoopbackServer(scripts: [Script(steps + [.stall])])
                let ending = await upload(to: server)
                #expect(ending.error == nil)
                #expect(ending.status == status)
                #expect(ending.data == Data(data.utf8))
            }
        }

        @Test func `a response that a reset cuts off is an error`() async throws {
            let header = Self.header(200, ["content-length": "5"]) + Self.frame(Self.data, 0, Array("{".utf8))
            for code in [UInt8(0), 2] {
                let reset = Self.frame(Self.reset, 0, [0, 0, 0, code])
                let script = Script([.waitForRelease, .send(header), .waitForRelease, .send(reset), .stall])
                let ending = await upload(to: try LoopbackServer(scripts: [script]))
                #expect(ending.status == 200)
                #expect((ending.error as? URLError)?.code == .networkConnectionLost)
            }
        }

        @Test func `a request that its server goes away without is sent again`() async throws {
            // The last stream that it handles, and no error (RFC 9113, section 6.8).
            let goAway = Self.frame(7, 0, Array(repeating: 0, count: 8), stream: 0)
            let answer = Self.header(200, ["content-length": "2"]) + Self.body
            let server = try LoopbackServer(scripts: [
                Script([.waitForRelease, .send(Self.frame(Self.settings, 0, [], stream: 0) + goAway), .stall]),
                Script([.waitForRelease, .send(answer), .stall]),
            ])
            var request = URLRequest(url: server.baseURL)
            request.httpMethod = "POST"
            request.httpBody = Data(count: 1_000)
            let (ended, releases, failure) = (Signal(), Locked(0), Locked<(any Error)?>(nil))
            let task = transport.start(TransportRequest(request)) { event in
                // Bytes that are sent again are no progress.
                let isRelease = releases.withLock { count in
                    guard case .sent(let sent) = event.kind, count == (sent > 0 ? 0 : 1) else { return false }
                    count += 1
                    return true
                }
                if isRelease { server.release() }
                if event.isFinished {
                    failure.withLock { $0 = event.error }
                    ended.fire()
                }
            }
            await ended.wait()
            withExtendedLifetime(task) {}
            #expect(failure.withLock { $0 } == nil)
            #expect(releases.withLock { $0 } == 2)
        }

        @Test func `a call after one that was not answered in time is sent on another connection`() async throws {
            let steps: [Script.Step] = [.waitForRelease, .send(Self.header(200, ["content-length": "2"]) + Self.body)]
            // libcurl 7.88 opens one for each call without TLS.
            let isShared = CurlTransport.version?.libcurl.hasPrefix("7.88") == false
            let silent = Array(repeating: Script([.stall]), count: isShared ? 1 : 2)
            let server = try LoopbackServer(scripts: silent + [Script(steps + [.stall])])
            let teapot = Teapot(baseURL: server.baseURL, transport: transport)
            // One that goes on beside it.
            let other = teapot.get("stuck", timeoutInterval: .infinity, deliveryQueue: .global()) {
                (_: NetworkResult) in
            }
            let error = await thrown { () throws(TeapotError) in
                try await teapot.send(Teapot.Request(path: "get").with { $0.timeoutInterval = 2 })
            }
            #expect(error?.code == .timedOut)
            #expect(await upload(to: server).data == Data("{}".utf8))
            other?.cancel()
        }
    }
#endif
