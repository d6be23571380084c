import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Bodies from an `AsyncSequence`, whatever answers.
@Suite(.inTurn)
struct BodyPiecesContractTests {
    private struct Broken: Error {}

    /// A sequence that ends after its pieces, with an error if there is one.
    private static func pieces(_ texts: [String], _ error: (any Error)? = nil) -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { stream in
            for text in texts { stream.yield(Data(text.utf8)) }
            stream.finish(throwing: error)
        }
    }

    private static func body(_ texts: [String], _ error: (any Error)? = nil, length: Int? = nil) -> Teapot.Request.Body
    {
        Teapot.Request.Body.stream(pieces(texts, error), length: length, contentType: "text/x-tea")
    }

    @Test(arguments: Backend.available, [12, nil])
    func `the pieces arrive in order, with and without a length`(_ backend: Backend, length: Int?) async throws {
        let teapot = try backend.teapot(file: "contract-object")
        let reports = Locked<[Teapot.TransferProgress]>([])
        let request = Teapot.Request(.put, path: "put", body: Self.body(["tea ", "", "and ", "cups"], length: length))
        let response = try await teapot.upload(request) { progress in reports.withLock { $0.append(progress) } }
        #expect(response.status == 200)
        #expect(reports.withLock { $0.last } == Teapot.TransferProgress(bytes: 12, expectedBytes: length))
        if let mock = teapot as? MockTeapot {
            #expect(mock.requests.map(\.body) == [Data("tea and cups".utf8)])
        } else {
            let echo = try response.decode(AsyncContractTests.Echo.self)
            #expect(echo.data == "tea and cups")
            #expect(echo.headers["Content-Type"] == "text/x-tea")
            // The default transport has all pieces in a file before it sends them.
            let isChunked = length == nil && "\(backend)" == "curl"
            #expect(echo.headers["Content-Length"] == (isChunked ? nil : "12"))
            #expect(echo.headers["Transfer-Encoding"] == (isChunked ? "chunked" : nil))
        }
    }

    @Test(arguments: Backend.available, [0, nil])
    func `a sequence without pieces is an empty body`(_ backend: Backend, length: Int?) async throws {
        let teapot = try backend.teapot(file: "contract-object")
        let response = try await teapot.send(.init(.post, path: "post", body: Self.body(["", ""], length: length)))
        #expect(response.status == 200)
    }

    @Test(arguments: Backend.available)
    func `the body of one call can be that of another`(_ backend: Backend) async throws {
        let teapot = try backend.teapot(file: "contract-object")
        let source = try await teapot.bytes("range/3000")
        let response = try await teapot.send(Teapot.Request(.post, path: "post", body: .stream(source)))
        guard backend != .mock else { return }
        #expect(try response.decode(AsyncContractTests.Echo.self).data.count == 3_000)
    }

    /// Errors that would mean something else if they were those of the exchange.
    @Test(
        arguments: Backend.available,
        [
            (Broken(), .noResponse), (URLError(.timedOut), .noResponse), (CancellationError(), .cancelled),
            (URLError(.cancelled), .cancelled),
            (TeapotError(type: .cancelled, description: "another call"), .cancelled),
        ] as [(any Error & Sendable, TeapotError.ErrorType)]
    )
    func `an error of the sequence is the cause`(
        _ backend: Backend,
        thrown row: (cause: any Error & Sendable, type: TeapotError.ErrorType)
    ) async throws {
        let cause = row.cause
        let teapot = try backend.teapot()
        teapot.retryPolicy = RetryPolicy(baseDelay: .zero)
        for (pieces, length) in [(["tea"], 12), ([], 0), ([""], 0)] {
            let error = await thrown { () throws(TeapotError) in
                try await teapot.send(.init(.put, path: "put", body: Self.body(pieces, cause, length: length)))
            }
            #expect(error?.type == row.type)
            #expect(error?.underlyingError.map { type(of: $0) == type(of: cause) } == true)
            #expect(error?.attempts == 1)
            #expect(error.map { "\($0)".contains("not sent again") } == true)
        }
    }

    @Test(
        arguments: Backend.available,
        [
            (["tea"], 5, "the body ended after 3 of 5 bytes"), ([], 5, "the body ended after 0 of 5 bytes"),
            (["tea", "cup"], 5, "the body has more than 5 bytes"),
            // It has the right length, and does not end.
            (["tea", "cu", "p"], 5, "the body has more than 5 bytes"),
            (["t"], 0, "the body has more than 0 bytes"), (["", "tea"], 0, "the body has more than 0 bytes"),
        ]
    )
    func `another length than announced is an error`(
        _ backend: Backend,
        row: (pieces: [String], length: Int, reason: String)
    ) async throws {
        let teapot = try backend.teapot()
        for method in [Teapot.HTTPMethod.post, .delete] {
            let body = Self.body(row.pieces, length: row.length)
            let request = Teapot.Request(method, path: Teapot.Path(method.rawValue.lowercased()), body: body)
            let error = await thrown { () throws(TeapotError) in try await teapot.send(request) }
            #expect(error?.type == .noResponse)
            #expect(error?.failureReason == row.reason)
        }
        if let mock = teapot as? MockTeapot { #expect(mock.requests.isEmpty) }
    }

    @Test(arguments: Backend.available)
    func `a body is sent by one call, and its length is its own`(_ backend: Backend) async throws {
        let teapot = try backend.teapot()
        let body = Self.body(["tea"])
        try await teapot.send(.init(.post, path: "post", body: body))
        for (body, length, type, reason) in [
            (body, nil, TeapotError.ErrorType.invalidPayload, "sent before"),
            (Self.body([], length: -1), nil, .invalidPayload, "-1 bytes"),
            (Self.body(["tea"]), "3", .invalidHeaderField, "unknown length"),
            (Self.body(["tea"], length: 3), "4", .invalidHeaderField, "3 bytes"),
        ] {
            let error = await thrown { () throws(TeapotError) in
                let fields = length.map { ["Content-Length": $0] } ?? [:]
                try await teapot.send(Teapot.Request(.post, path: "post", headerFields: fields, body: body))
            }
            #expect(error?.type == type)
            #expect(error?.failureReason?.contains(reason) == true)
        }
    }

    @Test(arguments: Backend.available, [401, 503])
    func `it is neither sent with another credential nor retried`(_ backend: Backend, status: Int) async throws {
        let (teapot, plugin) = (try backend.teapot(status: .init(rawValue: status)), WatchingPlugin())
        teapot.plugins = [plugin]
        teapot.retryPolicy = RetryPolicy(baseDelay: .zero)
        teapot.retryPolicy?.decide = { _ in .again(after: .zero) }
        teapot.authenticator = Authenticator(.bearer("old")) { _ in .bearer("new") }
        let request = Teapot.Request(.put, path: "status/\(status)", body: Self.body(["tea"])).with {
            $0.isIdempotent = true
        }
        let error = await thrown { () throws(TeapotError) in try await teapot.send(request) }
        #expect(error?.responseStatus == status)
        #expect(plugin.all.count { $0.hasPrefix("willSend") } == 1)
        #expect(error.map { "\($0)".contains("(not sent again: its body is an AsyncSequence)") } == true)
    }

    @Test(arguments: Backend.available)
    func `a call that is cancelled, or times out, stops reading`(_ backend: Backend) async throws {
        let teapot = try backend.teapot()
        for isCancelled in [true, false] {
            let ended = Signal()
            let (sequence, source) = AsyncStream<Data>.makeStream()
            source.onTermination = { _ in ended.fire() }
            source.yield(Data("tea".utf8))
            let request = Teapot.Request(.post, path: "post", body: .stream(sequence)).with {
                $0.timeoutInterval = isCancelled ? .infinity : 0.1
            }
            let task = Task { await thrown { () throws(TeapotError) in try await teapot.send(request) } }
            if isCancelled { task.cancel() }
            let error = await task.value
            #expect(error?.type == (isCancelled ? .cancelled : .noResponse))
            if !isCancelled {
                #expect(error?.code == .timedOut)
                await ended.wait()
            }
            // It has never ended.
            source.finish()
        }
    }
}
