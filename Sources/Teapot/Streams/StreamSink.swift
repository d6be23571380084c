import TeapotFoundation

/// Connects a call, which receives a body, with the tasks that read it.
final class StreamSink: BodySink {
    private struct State {
        weak var call: Call?
        var response: ResponseHead?
        /// Whether there is more data than is kept in memory.
        var isFull = false
        var outcome: Call.Outcome?
        /// The number of changes, and the readers that wait for the next one.
        var version = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// The last request to the call, and whether the call is being asked.
        var isPaused = false
        var isAsking = false
    }

    private let state = Locked(State())
    private let buffer = Serial(BodyBuffer(), label: "Teapot.StreamSink")

    /// Takes the call of this sink before it begins.
    func attach(_ call: Call) {
        let isOver = state.withLock { state in
            state.call = call
            return state.outcome != nil
        }
        // The reader may have been cancelled before there was a call.
        if isOver { call.cancel() }
    }

    // MARK: - The reader

    /// Waits for a response with a status from 200 to 299.
    func response() async -> Result<ResponseHead, TeapotError> {
        while true {
            let (response, outcome, version) = state.withLock { ($0.response, $0.outcome, $0.version) }
            if let response { return .success(response) }
            if let outcome { return outcome.map(\.head) }
            await change(since: version)
        }
    }

    /// Waits for the next piece of the body; `nil` at its end.
    func next() async throws(TeapotError) -> Data? {
        while true {
            if Task.isCancelled { end(.cancelled()) }
            // In this order: once there is an outcome, all of the body is there.
            let (outcome, version) = state.withLock { ($0.outcome, $0.version) }
            let piece: Data?
            do throws(TeapotError) { piece = try await takePiece().get() } catch {
                end(error)
                continue
            }
            control()
            switch (piece, outcome) {
            case (let piece?, _): return piece
            case (nil, .success): return nil
            case (nil, .failure(let error)): throw error
            case (nil, nil): await change(since: version)
            }
        }
    }

    private func takePiece() async -> Result<Data?, TeapotError> {
        await withCheckedContinuation { continuation in
            buffer.async { buffer in
                let piece = Result { () throws(TeapotError) in try buffer.next() }
                self.note(buffer)
                continuation.resume(returning: piece)
            }
        }
    }

    /// Called with the current buffer.
    private func note(_ buffer: BodyBuffer) {
        let isFull = buffer.isFull
        state.withLock { $0.isFull = isFull }
    }

    private func change(since version: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWaiting = state.withLock { state in
                    guard state.version == version else { return false }
                    state.waiting.append(continuation)
                    return true
                }
                if !isWaiting { continuation.resume() }
            }
        } onCancel: {
            end(.cancelled())
        }
    }

    /// Ends the call on behalf of the reader, and drops the unread data.
    func end(_ error: TeapotError) {
        buffer.async { $0 = BodyBuffer() }
        update { $0.outcome = .failure(error) }
        state.withLock { $0.call }?.cancel()
    }

    private func update(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            state.version += 1
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Asks the call to pause or to resume, depending on the buffer. One thread asks at a time, until nothing has changed
    /// meanwhile, so that the last request is correct.
    private func control() {
        var hasCall = true
        while hasCall, let (call, isPaused) = question() {
            // If the transport is not known yet, it is asked later.
            hasCall = call.pauseBody(isPaused)
            state.withLock { state in
                state.isAsking = false
                if !hasCall { state.isPaused = !isPaused }
            }
        }
    }

    private func question() -> (Call, Bool)? {
        state.withLock { state in
            guard let call = state.call, state.outcome == nil else { return nil }
            guard !state.isAsking, state.isPaused != state.isFull else { return nil }
            state.isAsking = true
            state.isPaused = state.isFull
            return (call, state.isPaused)
        }
    }

    // MARK: - BodySink

    func started() { control() }

    func begin(_ response: ResponseHead) { update { $0.response = response } }

    func receive(_ piece: Data) throws(TeapotError) {
        guard state.withLock({ $0.outcome == nil }) else { return }
        try buffer.sync { (buffer) throws(TeapotError) in
            defer { note(buffer) }
            try buffer.append(piece)
        }
        update { _ in }
        control()
    }

    /// The reader already got the beginning.
    var kept: KeptBody? { nil }

    /// Changes nothing: the reader gets the outcome when it is delivered, after plugins.
    func finish(_ outcome: Call.Outcome, then: @escaping @Sendable (Call.Outcome) -> Void) { then(outcome) }

    // MARK: - The end

    /// Takes the outcome of the call, which the reader gets after the received data. Nothing is received any more.
    func close(_ outcome: Call.Outcome) { update { state in if state.outcome == nil { state.outcome = outcome } } }
}
