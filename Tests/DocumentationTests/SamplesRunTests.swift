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

    @Test func showsTheMessageOfAFailure() async {
        let mock = MockTeapot(bundle: .module, mockFilename: "unknown-note", statusCode: .notFound)
        let shown = await text { ClosureSamples.getting(mock, show: $0) }
        #expect(shown == "404: There is no such note.")
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

    @Test func cancelledTaskIsOver() async {
        let queue = DispatchQueue(label: "samples")
        let teapot = Teapot(baseURL: server.baseURL, defaultDeliveryQueue: queue, transport: SilentTransport())
        await confirmation(expectedCount: 0) { completed in
            // On the delivery queue, so that the answer, which is there at once, cannot be delivered in between.
            queue.sync { ClosureSamples.task(teapot) { _ in completed() } }
            await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        }
    }

    @Test func aBadPathHasNoTask() {
        #expect(teapot.get("//elsewhere") { _ in } == nil)
    }

    @Test func logsIn() async {
        ClosureSamples.basicAuthentication(teapot) { _ in }
        let requests = await server.received(1)
        #expect(requests.first?.header("Authorization") == "Basic YWRtaW46dGVzdDEyMw==")
    }

    @Test func showsAnImage() async {
        let mock = MockTeapot(bundle: .module, mockFilename: "avatar.png")
        let image = await withCheckedContinuation { continuation in
            ClosureSamples.image(mock) { continuation.resume(returning: $0) }
        }
        #expect(image.format == .png)
    }

    @Test func uploads() async throws {
        let image = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        ClosureSamples.upload(teapot, image: image) { _ in }
        let request = try #require(await server.received(1).first)
        #expect(request.header("Content-Type")?.hasPrefix("multipart/form-data; boundary=Teapot-") == true)
        #expect(request.body.range(of: Data("name=\"image\"; filename=\"kettle.png\"".utf8)) != nil)
        #expect(request.body.range(of: Data("Content-Type: image/png".utf8)) != nil)
        #expect(request.body.range(of: image) != nil)
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

    @Test func logsErrorsOnly() {
        let logger = ReadmeSamples.logger()
        #expect(logger.currentLevel == .error)
        #expect(!logger.incomingDataLog("a response"))
    }

    @Test func replacesTheTransport() async {
        let teapot = Teapot(baseURL: server.baseURL, transport: SilentTransport())
        let status = await withCheckedContinuation { continuation in
            teapot.send(Teapot.Request(.delete, path: "notes/1"), deliveryQueue: .global()) { result in
                continuation.resume(returning: try? result.get().status)
            }
        }
        #expect(status == 204)
        #expect(server.requests.isEmpty)
    }

    @Test func redacts() {
        let mock = MockTeapot(bundle: .module)
        ReadmeSamples.logging(mock)
        #expect(mock.logger.currentLevel == .incomingAndOutgoingData)
        #expect(mock.secretPolicy.isSecret("x-tenant"))
        #expect(mock.secretPolicy.isSecret("Authorization"))
    }

    @Test func findsTheBundleOfAClass() {
        #expect(TestingSamples.bundles().count == 2)
    }

    /// The table of "Getting started"; an empty URL stands for `invalidRequestPath`.
    static let paths = [
        ("notes", "https://example.com/v1/notes"),
        ("/notes", "https://example.com/v1/notes"),
        ("", "https://example.com/v1"),
        ("notes?q=a%26b", "https://example.com/v1/notes?q=a%26b"),
        ("grün/tee time", "https://example.com/v1/gr%C3%BCn/tee%20time"),
        ("notes/../users", "https://example.com/v1/users"),
        ("https://example.com/v1/notes?page=2", "https://example.com/v1/notes?page=2"),
        ("../admin", ""),
        ("%2e%2e/admin", ""),
        ("//example.org", ""),
        ("https://example.org", ""),
        ("100%", ""),
        ("notes\n", ""),
    ]

    @Test(arguments: brief(paths))
    func joinsPaths(_ argument: Brief<(String, String)>) async throws {
        let (path, url) = argument.value
        let mock = MockTeapot(bundle: .module)
        mock.baseURL = try #require(URL(string: "https://example.com/v1"))
        nonisolated(unsafe) var result: Result<Teapot.Response, TeapotError>?
        mock.send(Teapot.Request(path: path)) { result = $0 }
        switch result {
        case .success(let response): #expect(response.http.url?.absoluteString == url)
        case .failure(let error): #expect(error.type == .invalidRequestPath && url.isEmpty)
        case nil: Issue.record("no result")
        }
    }
}
