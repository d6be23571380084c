import Teapot

/// The transport of a ``MockTeapot``: it answers at once, on the calling thread, or after a delay.
final class MockTransport: Transport {
    private struct State {
        var overrides: [Override] = []
        var expectedHeaders: [String: String] = [:]
        var isStrict = false
        /// Carries the requests without an answer.
        var recorder: RecordingTransport?
        var requests = RequestLog()
        /// The method and URL of the first requests without an answer.
        var unexpected: [String] = []
    }

    /// Further requests would add no information.
    private static let maximumUnexpectedCount = 100

    private let files: MockFiles
    private let defaultResponse: MockResponse
    private let time: any TimeSource
    private let start: Duration
    private let state = Locked(State())

    init(files: MockFiles, defaultResponse: MockResponse, time: any TimeSource) {
        self.files = files
        self.defaultResponse = defaultResponse
        self.time = time
        start = time.elapsed
    }

    // MARK: - Declarations

    func declare(_ override: Override, _ secrets: SecretPolicy) throws(MockTeapotError) {
        if case .sequence(let responses, _) = override.answers, responses.isEmpty {
            throw .invalidOverride("the sequence for \(override.matcher.summary(secrets)) has no responses")
        }
        // In one step: of two tests that declare the same endpoint at the same time, one gets the error.
        let tied: Override? = state.withLock { state in
            if let tied = state.overrides.first(where: { $0.matcher.ties(with: override.matcher) }) { return tied }
            state.overrides.append(override)
            return nil
        }
        guard let tied else { return }
        throw .invalidOverride(
            "\(override.declaration(secrets)) and \(tied.declaration(secrets)) match some of the same requests, and neither is more specific"
        )
    }

    /// Declares an endpoint, replacing an equal one.
    func replace(with override: Override) {
        state.withLock { state in
            state.overrides = state.overrides.filter { !$0.matcher.ties(with: override.matcher) }
            state.overrides.append(override)
        }
    }

    func replay(_ overrides: [Override], over recorder: RecordingTransport? = nil) {
        state.withLock { state in
            state.overrides += overrides
            state.recorder = recorder
        }
    }

    func expect(_ headers: [String: String]) { state.withLock { $0.expectedHeaders = headers } }

    var isStrict: Bool {
        get { state.withLock { $0.isStrict } }
        set { state.withLock { $0.isStrict = newValue } }
    }

    // MARK: - Received requests

    var requests: [RecordedRequest] { state.withLock { $0.requests.all } }

    var maximumRequestCount: Int? {
        get { state.withLock { $0.requests.limit } }
        set { state.withLock { $0.requests.limit = newValue.map { max($0, 0) } } }
    }

    func findings(_ secrets: SecretPolicy) -> [MockTeapot.Finding] {
        let (overrides, unexpected) = state.withLock { ($0.overrides, $0.unexpected) }
        var findings: [MockTeapot.Finding] = []
        for override in overrides { if let finding = override.finding(secrets) { findings.append(finding) } }
        for request in unexpected { findings.append(.unexpected(request)) }
        return findings
    }

    // MARK: - Answering

    func start(_ request: TransportRequest, receive: @escaping @Sendable (TransportEvent) -> Void)
        -> (any TransportTask)?
    {
        if let pieces = request.bodyPieces {
            let body = Locked(Data())
            let add = { @Sendable (piece: Data) in body.withLock { $0.append(piece) } }
            return CollectingTask(pieces, of: request, receive, add: add) { request in
                request.urlRequest.httpBody = body.withLock { $0 }
                return self.start(request, receive: receive)
            }
        }
        do {
            guard let url = request.urlRequest.url else { throw URLError(.badURL) }
            let recorded = try RecordedRequest(request, url: url, time: time.elapsed - start)
            guard let response = try response(to: recorded, request) else {
                return state.withLock { $0.recorder }?.start(request, receive: receive)
            }
            let answer = try MockAnswer(response, to: recorded, files: files)
            // Without a connection nothing is sent.
            if answer.hasResponse, !recorded.body.isEmpty { receive(.sent(recorded.body.count)) }
            if let (steps, times) = answer.schedule(after: response.delay, every: response.interval) {
                let stream = MockStream(steps, receive)
                receive(TransportEvent(.scheduled(times) { stream.reportNext() }))
                return stream
            }
            answer.report(receive)
        } catch {
            receive(.finished(error))
        }
        return nil
    }

    /// The response; `nil` if the recorder carries the request.
    private func response(to request: RecordedRequest, _ sent: TransportRequest) throws -> MockResponse? {
        let overrides = state.withLock { $0.overrides }
        let received = ReceivedRequest(request)
        let matches = Self.best(of: overrides, for: received)
        guard matches.count < 2 || matches[0].override.isRecorded else {
            _ = keep(unanswered: request, sent.allSecrets)
            throw UnansweredRequest(request: request, secrets: sent.allSecrets).matched(by: matches.map(\.override))
        }
        guard let (match, number) = Self.use(matches, for: received) else {
            return try defaultResponse(to: request, overrides, sent)
        }
        var request = request
        request.pathParameters = match.match.parameters
        state.withLock { $0.requests.append(request) }
        if let response = try match.override.answer(to: request, number: number) { return response }
        throw UnansweredRequest(request: request, secrets: sent.allSecrets).exhausted(match.override, number: number)
    }

    private typealias Candidate = (override: Override, match: Match)

    /// The most specific overrides. Of the entries of a recording, only those count that need the fewest new values of placeholders.
    private static func best(of overrides: [Override], for received: ReceivedRequest) -> [Candidate] {
        var best: [Candidate] = []
        for override in overrides {
            guard let match = override.matcher.match(received) else { continue }
            if let first = best.first, first.override.specificity == override.specificity {
                if match.newValues < first.match.newValues { best = [] }
                if match.newValues <= first.match.newValues { best.append((override, match)) }
            } else if best.isEmpty || best[0].override.specificity.lexicographicallyPrecedes(override.specificity) {
                best = [(override, match)]
            }
        }
        return best
    }

    /// Uses the first override that has a response left, or else the last override. An entry whose placeholders another request has just
    /// given other values is passed over.
    /// - Returns: The override, and the number of its request.
    private static func use(_ matches: [Candidate], for received: ReceivedRequest) -> (Candidate, Int)? {
        func isTaken(_ override: Override) -> Bool { !override.isRecorded || override.matcher.take(received) }
        for match in matches where !match.override.isRecorded || match.override.isLeft && isTaken(match.override) {
            if let number = match.override.useNext() { return (match, number) }
        }
        guard let last = matches.last, isTaken(last.override) else { return nil }
        return (last, last.override.use())
    }

    private func defaultResponse(to request: RecordedRequest, _ overrides: [Override], _ sent: TransportRequest)
        throws -> MockResponse?
    {
        let hasRecorder = state.withLock { state in
            if state.recorder != nil { state.requests.append(request) }
            return state.recorder != nil
        }
        if hasRecorder { return nil }
        let (isStrict, expectedHeaders) = keep(unanswered: request, sent.allSecrets)
        if isStrict { throw UnansweredRequest(request: request, secrets: sent.allSecrets).unmatched(by: overrides) }
        if let error = TeapotError.incorrectHeaders(of: request, expected: expectedHeaders, secrets: sent.allSecrets) {
            throw error
        }
        return defaultResponse
    }

    private func keep(unanswered request: RecordedRequest, _ secrets: SecretPolicy)
        -> (isStrict: Bool, expectedHeaders: [String: String])
    {
        state.withLock { state in
            state.requests.append(request)
            if state.isStrict, state.unexpected.count < Self.maximumUnexpectedCount {
                state.unexpected.append(request.title(secrets))
            }
            return (state.isStrict, state.expectedHeaders)
        }
    }
}
