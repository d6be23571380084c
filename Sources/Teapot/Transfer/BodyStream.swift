internal import TeapotFoundation

/// Between an exchange, which brings a body, and the tasks that read it.
final class BodyStream: BodySink {
    private struct State {
        weak var exchange: Exchange?
        var response: HTTPURLResponse?
        var buffer = BodyBuffer()
        var outcome: Exchange.Outcome?
        /// How often any of the above has changed, and the readers that wait for it to change again.
        var version = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// What the exchange was asked for last, and whether it is being asked.
        var isHeldBack = false
        var isAsking = false
    }

    private let state = Locked(State())

    /// Takes the exchange that this is the sink of.
    func attach(_ exchange: Exchange) {
        state.withLock { $0.exchange = exchange }
        control()
    }

    // MARK: - The reader

    /// Waits for a response with a status from 200 to 299.
    func response() async throws(TeapotError) -> HTTPURLResponse {
        while true {
            let (response, outcome, version) = state.withLock { ($0.response, $0.outcome, $0.version) }
            if let response { return response }
            if let outcome { return try outcome.get().http }
            await change(since: version)
        }
    }

    /// Waits for the next piece of the body; `nil` at its end.
    func next() async throws(TeapotError) -> Data? {
        while true {
            if Task.isCancelled { end(.cancelled()) }
            let (piece, outcome, version) = takePiece()
            control()
            switch (piece, outcome) {
            case (let piece?, _): return piece
            case (nil, .success): return nil
            case (nil, .failure(let error)): throw error
            case (nil, nil): await change(since: version)
            }
        }
    }

    private func takePiece() -> (piece: Data?, outcome: Exchange.Outcome?, version: Int) {
        do throws(TeapotError) {
            return try state.withLock { (state) throws(TeapotError) in
                (try state.buffer.next(), state.outcome, state.version)
            }
        } catch {
            end(error)
            return state.withLock { (nil, $0.outcome, $0.version) }
        }
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

    /// Ends the exchange for a reason of the reader's, and drops what was not read.
    private func end(_ error: TeapotError) {
        update { state in
            state.outcome = .failure(error)
            state.buffer = BodyBuffer()
        }
        state.withLock { $0.exchange }?.cancel()
    }

    private func update<Failure>(_ change: (inout State) throws(Failure) -> Void) throws(Failure) {
        let waiting = try state.withLock { (state) throws(Failure) in
            try change(&state)
            state.version += 1
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Asks the exchange to hold back or to go on, as the buffer has it. One thread asks at a time, until nothing has changed
    /// meanwhile, so that the last word is the right one.
    private func control() {
        var goesOn = true
        while goesOn, let (exchange, isHeldBack) = question() {
            // Where the transport is not known yet, it is asked when it is.
            goesOn = exchange.holdBack(isHeldBack)
            state.withLock { state in
                state.isAsking = false
                if !goesOn { state.isHeldBack = !isHeldBack }
            }
        }
    }

    private func question() -> (Exchange, Bool)? {
        state.withLock { state in
            guard let exchange = state.exchange, state.outcome == nil else { return nil }
            guard !state.isAsking, state.isHeldBack != state.buffer.isFull else { return nil }
            state.isAsking = true
            state.isHeldBack = state.buffer.isFull
            return (exchange, state.isHeldBack)
        }
    }

    // MARK: - BodySink

    func started() { control() }

    func begin(_ response: HTTPURLResponse) {
        update { $0.response = response }
    }

    func receive(_ piece: Data) throws(TeapotError) {
        try update { (state) throws(TeapotError) in
            if state.outcome == nil { try state.buffer.append(piece) }
        }
        control()
    }

    /// The reader has had the beginning.
    func startOver() -> [String: String?]? { nil }

    /// Changes nothing: the reader gets the outcome when it is delivered, after plugins.
    func finish(_ outcome: Exchange.Outcome) -> Exchange.Outcome { outcome }

    // MARK: - The end

    /// Takes the outcome of the exchange, which the reader gets after what has come.
    func close(_ outcome: Exchange.Outcome) {
        update { state in
            if state.outcome == nil { state.outcome = outcome }
        }
    }
}
