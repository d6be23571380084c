import LoopbackServer
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// The samples of tracing do what the page says of them.
@Suite(.inTurn)
struct SamplesRunTracingTests {
    /// What a test did in a trace of its own.
    private struct Trace<Value: Sendable>: Sendable {
        let result: Result<Value, any Error>
        /// The span around it.
        let root: RecordedSpan
        /// All other spans, in the order in which they began.
        let spans: [RecordedSpan]

        /// The header fields of requests that have a span as their parent.
        func fields(of parents: RecordedSpan?...) -> [String?] {
            parents.map { parent in parent.map { "00-\(root.ids.trace)-\($0.ids.span)-01" } }
        }
    }

    private func traced<Value: Sendable>(_ work: () async throws -> Value) async throws -> Trace<Value> {
        let (span, result) = await withSpan("test") { span -> (any Span, Result<Value, any Error>) in
            do { return (span, .success(try await work())) } catch { return (span, .failure(error)) }
        }
        let root = try #require(span as? RecordedSpan)
        let spans = InstrumentationSystem.tracer.spans(of: root.ids.trace).filter { $0 !== root }
        return Trace(result: result, root: root, spans: spans)
    }

    /// A row for each span: its kind, status, number of another attempt, and errors.
    private func rows(_ spans: [RecordedSpan]) -> [String] {
        spans.map { span in
            let names = ["http.response.status_code", "http.request.resend_count"]
            let numbers = names.map { name -> String in
                guard case .int64(let number) = span.attributes.get(name) else { return "–" }
                return "\(number)"
            }
            let errors = span.errors.map { ($0 as? TeapotError).map { "\($0.type)" } ?? "\($0)" }
            let status = span.status.map { "\($0.code)" } ?? "unset"
            return ([span.operationName, "\(span.kind)"] + numbers + [status] + errors).joined(separator: " ")
        }
    }

    private func expectOneEndEach<Value>(_ trace: Trace<Value>) {
        #expect(trace.spans.map(\.ends) == Array(repeating: 1, count: trace.spans.count))
    }

    private let again = RetryPolicy(maximumAttempts: 2, baseDelay: .zero)

    /// A server whose first answer is a 503.
    private func busyServer() throws -> LoopbackServer {
        let head = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        return try LoopbackServer(scripts: [Script([.readRequest, .send(head)])])
    }

    private func teapot(for server: LoopbackServer) -> Teapot {
        let teapot = Teapot(baseURL: server.baseURL)
        teapot.timeoutInterval = 60
        teapot.retryPolicy = again
        teapot.plugins = [RequestSpans()]
        return teapot
    }

    @Test func `a retried call is one span, and each of its requests is a child`() async throws {
        let mock = MockTeapot()
        mock.retryPolicy = again
        try mock.overrideEndPoint("users/1", withSequence: [.status(.serviceUnavailable), .json(["name": "Ada"])])
        let trace = try await traced { try await TracingSamples.user(1, from: mock) }
        #expect(try trace.result.get().name == "Ada")
        #expect(
            rows(trace.spans) == [
                "GET client – – unset",
                "GET internal 503 – error invalidResponseStatus",
                "GET internal 200 1 unset",
            ]
        )
        let call = try #require(trace.spans.first)
        #expect(call.ids.parent == trace.root.ids.span)
        #expect(trace.spans.dropFirst().map(\.ids.parent) == [call.ids.span, call.ids.span])
        expectOneEndEach(trace)
        #expect(mock.requests.map { $0.headerFields["traceparent"] } == trace.fields(of: call, call))
        let request = try #require(trace.spans.last?.attributes)
        #expect(request.get("http.request.method") == .string("GET"))
        #expect(request.get("server.address") == .string("mock.base.url.com"))
        #expect(request.get("url.full") == mock.requests.last.map { .string($0.url.absoluteString) })
    }

    @Test func `a server sees the call as its parent, in each attempt and after a redirect`() async throws {
        let server = try busyServer()
        let teapot = teapot(for: server)
        let trace = try await traced { try await CallSpans(api: teapot).send("redirect/1") }
        #expect(try trace.result.get().status == 200)
        #expect(
            rows(trace.spans) == [
                "GET client – – unset",
                "GET internal 503 – error invalidResponseStatus",
                "GET internal 302 1 unset",
                "GET internal 200 1 unset",
            ]
        )
        let call = try #require(trace.spans.first)
        #expect(trace.spans.dropFirst().allSatisfy { $0.ids.parent == call.ids.span })
        expectOneEndEach(trace)
        #expect(server.requests.map { $0.header("traceparent") } == trace.fields(of: call, call, call))
        let field = try #require(server.requests.first?.header("traceparent"))
        #expect(field.wholeMatch(of: /00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}/) != nil)
    }

    @Test func `a failed call has its error, and no span has a secret`() async throws {
        let mock = MockTeapot()
        mock.plugins = [RequestSpans(), Credential.bearer("sesame-0815")]
        try mock.overrideEndPoint("tea", with: .status(.notFound))
        let request = Teapot.Request(.delete, path: "tea", query: ["access_token": "secret-4711"])
        let trace = try await traced { try await CallSpans(api: mock).send(request) }
        #expect(throws: TeapotError.self) { try trace.result.get() }
        #expect(
            rows(trace.spans) == [
                "DELETE client – – error invalidResponseStatus",
                "DELETE internal 404 – error invalidResponseStatus",
            ]
        )
        expectOneEndEach(trace)
        let text = trace.spans.map { "\($0.attributes) \($0.errors)" }.joined()
        #expect(text.contains("access_token=<redacted>"))
        #expect(!text.contains("4711") && !text.contains("0815"))
    }

    @Test func `a cancelled call ends its spans`() async throws {
        // Its time does not pass.
        let mock = MockTeapot(clock: TestClock())
        mock.plugins = [RequestSpans()]
        try mock.overrideEndPoint("tea", with: .status(.ok).delayed(by: .seconds(10)))
        let trace = try await traced {
            let call = Task { try await CallSpans(api: mock).send("tea") }
            await eventually { mock.requests.count == 1 }
            call.cancel()
            return try await call.value.status
        }
        #expect(rows(trace.spans) == ["GET client – – error cancelled", "GET internal – – error cancelled"])
        expectOneEndEach(trace)
    }

    @Test func `the log is written in the context of the call, in each attempt`() async throws {
        let server = try busyServer()
        let teapot = teapot(for: server)
        let seen = Locked<[String?]>([])
        teapot.logger = .entries(level: .incomingAndOutgoingData) { _ in
            seen.withLock { $0.append(ServiceContext.current?.trace?.span) }
        }
        let trace = try await traced { try await CallSpans(api: teapot).send("get") }
        let spans = seen.withLock { $0 }
        #expect(spans.count >= 4)
        #expect(Set(spans) == [trace.spans.first?.ids.span])
    }

    @Test func `a call with a closure has the context in its first request only`() async throws {
        let server = try busyServer()
        let teapot = teapot(for: server)
        let trace = try await traced {
            try await withCheckedContinuation { done in
                teapot.send("get", deliveryQueue: .global()) { done.resume(returning: $0) }
            }.get().status
        }
        #expect(try trace.result.get() == 200)
        #expect(rows(trace.spans) == ["GET internal 503 – error invalidResponseStatus"])
        #expect(trace.spans.map(\.ids.parent) == [trace.root.ids.span])
        expectOneEndEach(trace)
        #expect(server.requests.map { $0.header("traceparent") } == trace.fields(of: trace.root, nil))
    }

    @Test func `a call outside of a trace begins none, but for the span of the call`() async throws {
        let mock = MockTeapot()
        mock.plugins = [RequestSpans()]
        try mock.overrideEndPoint("tea", with: .status(.ok))
        try await mock.get("tea")
        _ = try await CallSpans(api: mock).send("tea")
        let fields = mock.requests.map { $0.headerFields["traceparent"] }
        #expect(fields.count == 2)
        #expect(fields.first == .some(nil))
        let trace = try #require(fields.last??.split(separator: "-").dropFirst().first)
        let spans = InstrumentationSystem.tracer.spans(of: String(trace))
        #expect(rows(spans) == ["GET client – – unset", "GET internal 200 – unset"])
    }
}
