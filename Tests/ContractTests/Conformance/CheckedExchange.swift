import Teapot

/// One exchange of the transport that is checked: takes its events, and waits for them.
final class CheckedExchange: Sendable {
    /// An event that did not come in time, or should not have come.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Method and path of the request.
    let name: String
    /// In seconds.
    private let pace: Double
    private let record = Locked(EventRecord())
    private let receiving = Locked((now: 0, most: 0))
    private let cancelsAtData: Bool
    private let task = Locked<(started: (any TransportTask)?, isCancelled: Bool)>((nil, false))
    private let changes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// - Parameters:
    ///   - name: Method and path of the request.
    ///   - pace: The seconds that taking an event takes at least.
    ///   - cancelsAtData: Whether to cancel once the body begins to come, on the transport's thread.
    init(_ name: String, pace: Double = 0, cancelsAtData: Bool = false) {
        self.name = name
        self.pace = pace
        self.cancelsAtData = cancelsAtData
    }

    /// Sends the request and takes the events.
    func start(_ request: TransportRequest, by transport: any Transport) {
        let task = transport.start(request, receive: receive)
        let isCancelled = self.task.withLock { state in
            state.started = task
            return state.isCancelled
        }
        if isCancelled { task?.cancel() }
    }

    func cancel() {
        let started = task.withLock { state in
            state.isCancelled = true
            return state.started
        }
        started?.cancel()
    }

    func suspendAndResume() {
        let started = task.withLock { $0.started }
        started?.suspend()
        started?.resume()
    }

    /// Takes an event, on the transport's thread.
    func receive(_ event: TransportEvent) {
        receiving.withLock { $0 = (now: $0.now + 1, most: max($0.most, $0.now + 1)) }
        if pace > 0 { Thread.sleep(forTimeInterval: pace) }
        record.withLock { $0.add(event) }
        receiving.withLock { $0.now -= 1 }
        if event.data != nil, cancelsAtData { cancel() }
        changes.continuation.yield()
    }

    /// The events reported so far.
    var reported: EventRecord { record.withLock { $0 } }

    /// From how many threads at once events have come.
    var mostAtOnce: Int { receiving.withLock { $0.most } }

    private func failure(expected: String) -> Failure {
        Failure(description: "\(name): expected \(expected), received \(reported.outcome)")
    }

    /// Waits until the transport has said so much.
    func wait(for expected: String, until isThere: @escaping @Sendable (EventRecord) -> Bool) async throws {
        let isInTime = await Duration.seconds(30).isEnough { [self] in
            if isThere(reported) { return true }
            for await _ in changes.stream where isThere(reported) { return true }
            return false
        }
        // Where tasks have to wait for a thread, the time may be over before anyone has looked.
        guard !isInTime, !isThere(reported) else { return }
        cancel()
        throw failure(expected: expected)
    }

    /// Waits for the end, whatever it is.
    @discardableResult
    func end() async throws -> EventRecord {
        try await wait(for: "an end") { $0.end != nil }
        return reported
    }

    /// Waits for a whole response.
    func answer(_ status: Int) async throws -> CheckedAnswer {
        let record = try await end()
        guard let response = record.response, case .some(nil) = record.end, response.statusCode == status else {
            throw failure(expected: "status \(status)")
        }
        return CheckedAnswer(http: response, data: record.data)
    }

    /// Waits for an end without a response, or without a whole one.
    func expectPrematureEnd() async throws {
        let record = try await end()
        guard case .some(.some) = record.end else {
            throw failure(expected: "an error at the end")
        }
    }
}

extension Duration {
    /// Whether this is enough for an operation, which gives up when its task is cancelled, to come true.
    func isEnough(for operation: @escaping @Sendable () async -> Bool) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask(operation: operation)
            group.addTask {
                try? await Task.sleep(for: self)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
