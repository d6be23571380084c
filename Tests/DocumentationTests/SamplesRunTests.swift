import LoopbackServer
import Teapot
import TeapotMock
import TestTraits
import Testing

/// The samples do what the pages say of them. `/anything` of the server tells what it was sent.
@Suite(.inTurn)
struct SamplesRunTests {
    private let server: LoopbackServer
    private let teapot: Teapot

    init() throws {
        server = try LoopbackServer()
        teapot = Teapot(
            baseURL: server.baseURL.appending(path: "anything"),
            defaultDeliveryQueue: DispatchQueue(label: "samples")
        )
    }

    /// The texts that a sample shows, each with what was shown.
    private func text(_ sample: (@escaping @Sendable (String) -> Void) -> Void) async -> String {
        await withCheckedContinuation { continuation in
            sample { continuation.resume(returning: $0) }
        }
    }

    @Test func getsANote() async {
        let shown = await text { ClosureSamples.getting(teapot, show: $0) }
        #expect(shown == "200: no title")
        #expect(server.requests.map(\.target) == ["/anything/notes/1"])
    }

    @Test func sendsBodies() async {
        ClosureSamples.bodies(teapot) { _ in }
        let requests = await server.received(4).sorted { $0.method < $1.method }
        #expect(requests.map(\.method) == ["DELETE", "PATCH", "POST", "PUT"])
        let types = ["", "image/svg+xml", "application/json", "application/json"]
        #expect(requests.map { $0.header("Content-Type") ?? "" } == types)
        #expect(String(decoding: requests[1].body, as: UTF8.self) == "<svg/>")
        #expect(String(decoding: requests[2].body, as: UTF8.self) == #"{"tags":["shopping"],"title":"Buy tea"}"#)
    }

    @Test(arguments: [
        (MockTeapot.StatusCode.unauthorized, "Log in again."),
        (MockTeapot.StatusCode.notFound, "There is no such note."),
    ])
    func namesErrors(_ status: MockTeapot.StatusCode, _ text: String) async {
        let mock = MockTeapot(bundle: .module, mockFilename: "unknown-note", statusCode: status)
        let shown = await self.text { ClosureSamples.errors(mock, show: $0) }
        #expect(shown == text)
    }

    @Test func sendsARequest() async {
        let shown = await text { ClosureSamples.request(teapot, show: $0) }
        #expect(shown.hasSuffix(" bytes of application/json"))
        #expect(server.requests.map(\.query) == ["q=tea%20%26%20biscuits&page=2"])
    }

    @Test func configures() async {
        let teapot = TransportSamples.configured(baseURL: server.baseURL)
        teapot.get("get") { _ in }
        let requests = await server.received(1)
        #expect(requests.first?.header("User-Agent") == "notes/1.0")
    }

    @Test func redacts() {
        let mock = MockTeapot(bundle: .module)
        ReadmeSamples.logging(mock)
        #expect(mock.logger.currentLevel == .incomingAndOutgoingData)
        #expect(mock.secretPolicy.isSecret("x-tenant"))
        #expect(mock.secretPolicy.isSecret("Authorization"))
    }
}
