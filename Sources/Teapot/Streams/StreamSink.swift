import TeapotFoundation

/// Connects a call, which receives a body, with the tasks that read it.
final class StreamSink: BodySink {
    private struct State {
        weak var call: Call?
        var response: ResponseHead?
        /// The bytes that have arrived and were not read.
        var ready = Data()
        /// Whether the file has bytes that were not read. Later pieces go to the file, too.
        var isSpilled = false
        /// The error with which the reader has left. Later pieces are dropped, and the error is the outcome once the call has ended.
        var departure: TeapotError?
        var outcome: Teapot.Outcome?
        /// The number of changes. A reader looks at the state in one step and begins to wait in another, and waits only if nothing has
        /// changed in between.
        var version = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// Whether the call was last asked to pause.
        var isPaused = false
        /// Whether a thread is asking the call. If the transport's thread and the reader's both find a question, the second leaves it
        /// to the first, so that an older request does not come after a newer one.
        var isAsking = false

        /// Whether no more data should arrive for now.
        var isFull: Bool { isSpilled || ready.count >= StreamSink.capacity }
        /// Whether the call is to be asked to pause, or to resume.
        var hasQuestion: Bool { !isAsking && isPaused != isFull && isRead && call != nil }
        /// Whether somebody reads what arrives.
        var isRead: Bool { outcome == nil && departure == nil }

        /// The next piece to read. Once there is an outcome, all of the body is there.
        mutating func next() -> Next {
            guard ready.isEmpty else {
                defer { ready = Data() }
                return .piece(ready)
            }
            if isSpilled { return .spilled }
            return outcome.map { .over($0) } ?? .nothing(version: version)
        }

        /// - Returns: Whether the piece needs no place in the buffer.
        mutating func take(_ piece: Data) -> Bool {
            guard isRead else { return true }
            guard !isSpilled, ready.count < StreamSink.capacity else { return false }
            if ready.isEmpty { ready = piece } else { ready.append(piece) }
            return true
        }

        mutating func change() -> [CheckedContinuation<Void, Never>] {
            version += 1
            defer { waiting = [] }
            return waiting
        }
    }

    private enum Next {
        case piece(Data)
        case spilled
        /// Nothing before the next change.
        case nothing(version: Int)
        case over(Teapot.Outcome)
    }

    /// The number of bytes in memory beyond which data goes to a file.
    static let capacity = 1 << 20

    private let state = Locked(State())
    private let buffer = Serial(BodyBuffer(), label: "Teapot.StreamSink")

    /// Takes the call of this sink before it begins.
    func attach(_ call: Call) { state.withLock { $0.call = call } }

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
    // The loop of each reader would contain all of it, and its parts once for each `await`.
    @inline(never) func next() async throws(TeapotError) -> Data? {
        while true {
            switch takeNext() {
            case .piece(let piece): return piece
            case .spilled: if let piece = accept(await takeSpilled()) { return piece }
            case .nothing(let version): await change(since: version)
            case .over(let outcome):
                _ = try outcome.get()
                return nil
            }
        }
    }

    @inline(never) private func takeNext() -> Next {
        if Task.isCancelled { cancel() }
        let (next, hasQuestion) = state.withLock { ($0.next(), $0.hasQuestion) }
        if hasQuestion { control() }
        return next
    }

    private func takeSpilled() async -> Result<Data?, TeapotError> {
        await withCheckedContinuation { continuation in
            buffer.async { buffer in
                let piece = Result { () throws(TeapotError) in try buffer.next() }
                self.note(buffer)
                continuation.resume(returning: piece)
            }
        }
    }

    /// Takes a piece of the buffer. An error of its file ends the call.
    @inline(never) private func accept(_ piece: Result<Data?, TeapotError>) -> Data? {
        control()
        if case .failure(let error) = piece { end(error) }
        return try? piece.get()
    }

    private func note(_ buffer: BodyBuffer) { update { $0.isSpilled = !buffer.isEmpty } }

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
            cancel()
        }
    }

    /// Ends the call for a reader whose task is cancelled.
    func cancel() {
        guard let call = state.withLock({ $0.departure == nil ? $0.call : nil }) else { return }
        end(call.cancellation)
    }

    /// Ends the call on behalf of the reader, and drops the unread data. The reader gets the error when the call has ended, after plugins.
    private func end(_ error: TeapotError) {
        update { state in
            state.departure = error
            state.ready = Data()
            if state.outcome != nil { state.outcome = .failure(error) }
        }
        // A later piece is dropped. A piece that waits for the buffer's queue is dropped with the buffer.
        buffer.async { $0 = BodyBuffer() }
        state.withLock { $0.call }?.cancel()
    }

    private func update(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            return state.change()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Asks the call to pause or to resume. One thread asks at a time, and asks again after a change, so that the last request is correct.
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
            guard state.hasQuestion, let call = state.call else { return nil }
            state.isAsking = true
            state.isPaused = state.isFull
            return (call, state.isPaused)
        }
    }

    // MARK: - BodySink

    var isReader: Bool { true }
    func started() { control() }
    func begin(_ response: ResponseHead) { update { $0.response = response } }

    func receive(_ piece: Data) throws(TeapotError) {
        let (isTaken, waiting, hasQuestion) = state.withLock { ($0.take(piece), $0.change(), $0.hasQuestion) }
        for continuation in waiting { continuation.resume() }
        if hasQuestion { control() }
        guard !isTaken else { return }
        // No piece can overtake another, because only this thread adds them.
        try buffer.sync { (buffer) throws(TeapotError) in
            guard state.withLock({ $0.isRead }) else { return }
            defer { note(buffer) }
            try buffer.append(piece)
        }
        control()
    }

    /// Nothing, because the reader already got the beginning.
    var partialBody: PartialBody? { nil }
    /// The reader gets the outcome when it is delivered, after plugins: see ``close(_:)``.
    func finish(_ outcome: Teapot.Outcome, then: @escaping @Sendable (Teapot.Outcome) -> Void) { then(outcome) }

    /// Takes the outcome of the call, which the reader gets after the received data. No piece arrives after it.
    func close(_ outcome: Teapot.Outcome) { update { $0.outcome = $0.departure.map { .failure($0) } ?? outcome } }
}
