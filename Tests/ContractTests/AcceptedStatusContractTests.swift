import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Requests with a status or a retry policy of their own, whatever answers.
@Suite(.inTurn)
struct AcceptedStatusContractTests {
    private static let statuses: Set = [302, 304, 401, 404, 409, 503]

    private struct Find: Endpoint {
        var request: Teapot.Request {
            var request: Teapot.Request = "status/404"
            request.acceptedStatuses = [404]
            return request
        }

        func parse(_ response: Teapot.Response) throws -> String? { response.status == 404 ? nil : response.text }
    }

    private struct RetryWatcher: Teapot.Plugin {
        let seen = Locked<[String]>([])

        func willRetry(_ error: TeapotError, for request: Teapot.SentRequest, after delay: Duration) {
            let method = request.urlRequest.httpMethod ?? ""
            seen.withLock { $0.append("\(error.responseStatus ?? 0) \(method) after \(delay)") }
        }
    }

    /// A client that would follow a redirect, get another credential, and try again.
    private func teapot(_ backend: Backend) throws -> (Teapot, WatchingPlugin) {
        let teapot = try backend.teapot()
        if let mock = teapot as? MockTeapot {
            for status in Self.statuses {
                try mock.overrideEndPoint("status/\(status)", with: .status(.init(rawValue: status)))
            }
        }
        let plugin = WatchingPlugin()
        teapot.plugins = [plugin]
        teapot.retryPolicy = RetryPolicy(baseDelay: .zero)
        teapot.authenticator = Authenticator(.bearer("1")) { _ in .bearer("2") }
        return (teapot, plugin)
    }

    @Test(arguments: Backend.available, statuses.sorted())
    func `a status that a request accepts is a success`(_ backend: Backend, _ status: Int) async throws {
        let (teapot, plugin) = try teapot(backend)
        var request = Teapot.Request(path: "status/\(status)")
        request.acceptedStatuses = [status]
        #expect(try await teapot.send(request).status == status)
        #expect(
            plugin.all == [
                "prepare GET /status/\(status)", "willSend GET /status/\(status)",
                "didReceive \(status) GET /status/\(status)",
            ]
        )
        let stream = try await teapot.bytes(request)
        #expect(stream.status == status)
        for try await _ in stream {}
        let folder = try TemporaryFolder()
        let file = folder.file("tea")
        try Data("old".utf8).write(to: file)
        #expect(try await teapot.download(request, to: file, replacesExisting: true).status == status)
        #expect(try Data(contentsOf: file) == Data("old".utf8))
        #expect(folder.names == ["tea"])
        // Now the redirect is followed.
        guard backend == .mock || status != 302 else { return }
        request.acceptedStatuses = [200]
        await #expect(throws: TeapotError.self) { try await teapot.send(request) }
    }

    @Test(arguments: Backend.available)
    func `an endpoint parses a status that it accepts`(_ backend: Backend) async throws {
        #expect(try await teapot(backend).0.send(Find()) == nil)
    }

    @Test(arguments: Backend.available)
    func `a request decides whether it is sent again`(_ backend: Backend) async throws {
        let (teapot, _) = try teapot(backend)
        let watcher = RetryWatcher()
        teapot.plugins = [watcher]
        let seen = Locked<[String]>([])
        var request = Teapot.Request(.post, path: "status/409", headerFields: ["X-Session": "1"])
        request.retryPolicy = RetryPolicy()
        request.retryPolicy?.decide = { failure in
            let session = failure.request.value(forHTTPHeaderField: "X-Session") ?? ""
            seen.withLock { $0.append("\(failure.error.responseStatus ?? 0) \(session) \(failure.attempts)") }
            return failure.attempts < 2 ? .again(after: .zero) : .stop
        }
        let error = await #expect(throws: TeapotError.self) { try await teapot.send(request) }
        #expect(error?.attempts == 2)
        #expect(seen.withLock { $0 } == ["409 1 1", "409 1 2"])
        #expect(watcher.seen.withLock { $0 } == ["409 POST after 0.0 seconds"])
    }
}
