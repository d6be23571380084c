import LoopbackServer
import Teapot
import Testing

@Test func `a body that is cut off keeps what came`() async throws {
    let script = Script([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .close])
    let server = try LoopbackServer(scripts: [script])
    let teapot = Teapot(baseURL: server.baseURL)
    let error = await #expect(throws: TeapotError.self) { try await teapot.get("report") }
    #expect(error?.type == .dataTaskError)
    #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
    #expect(error?.data == Data("half".utf8))
}
