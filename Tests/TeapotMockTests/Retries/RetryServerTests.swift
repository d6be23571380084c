import LoopbackServer
@testable import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Failed requests that are sent to a server again. The network takes its time; the waits between attempts take none.
@Suite(.inTurn)
struct RetryServerTests {
    private let clock = TestClock()

    private func script(_ answer: Script.Step..., read: Bool = true) -> Script {
        Script([.readRequest] + answer)
    }

    @Test func `a body, from memory and from a file, is sent again whole`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("tea")
        try Data("green tea".utf8).write(to: file)
        let later = script(.send("HTTP/1.1 503 Later\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"), .close)
        let done = script(.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"), .close)
        let server = try LoopbackServer(scripts: [later, done, later, done, later, done])
        let teapot = Teapot(baseURL: server.baseURL, clock: clock)
        teapot.retryPolicy = RetryPolicy.steady()
        var form = MultipartFormData()
        form.append(file: file, name: "tea")
        for body in [Teapot.Request.Body(Data("green tea".utf8)), .init(file: file), try form.body()] {
            let request = Teapot.Request(.put, path: "tea", body: body, timeoutInterval: .infinity)
            async let response = teapot.send(request)
            await clock.advanceToNext()
            #expect(try await response.status == 200)
            let bodies = server.requests.suffix(2).map(\.body)
            #expect(bodies[0] == bodies[1])
            #expect(String(decoding: bodies[0], as: UTF8.self).contains("green tea"))
        }
        #expect(server.requests.count == 6)
    }
}
