import Foundation

/// The state that the server's threads share.
///
/// It is apart from ``LoopbackServer`` so that the threads keep this alive and not the server: when the last reference to
/// the server goes, its `deinit` runs, and that ends the threads.
final class ServerCore: Sendable {
    private struct State {
        var isStopped = false
        var threadCount = 0
        var releaseCount = 0
        var scripts: [Script]
        var openSockets: Set<Socket> = []
        var requests: [ReceivedRequest] = []
        var discardedBytes = 0
    }

    /// Enough for `JSONSerialization` at its greatest depth; the default of eight megabytes would be address space for nothing.
    private static let stackSize = 1 << 20

    let port: Int
    let requestCounter = EventCounter()
    let scriptCounter = EventCounter()
    let stored: [String: StoredAnswer]
    let fault: @Sendable (ReceivedRequest) -> Script?

    let listener: Socket
    private let reserved: Socket?
    private let waiting: Socket
    private let waking: Socket
    private let recordsRequests: Bool
    private let state: Monitor<State>

    init(
        at address: LoopbackServer.Address,
        scripts: [Script],
        recordsRequests: Bool,
        stored: [String: StoredAnswer],
        fault: @escaping @Sendable (ReceivedRequest) -> Script?
    ) throws(SocketError) {
        let (listener, reserved, port) = try Socket.listening(at: address)
        do {
            (waiting, waking) = try Socket.wakePair()
        } catch {
            listener.close()
            reserved?.close()
            throw error
        }
        self.listener = listener
        self.reserved = reserved
        self.port = port
        self.recordsRequests = recordsRequests
        self.stored = stored
        self.fault = fault
        state = Monitor(State(scripts: scripts))
    }

    /// Starts the thread that accepts connections.
    func start() {
        startThread { core in core.acceptConnections() }
    }

    /// Closes everything and returns when all threads are done. Any number of calls, from any thread but the server's own.
    func stop() {
        let isFirst = state.change { state in
            defer { state.isStopped = true }
            state.openSockets.forEach { $0.shutDown() }
            return !state.isStopped
        }
        if isFirst { waking.close() }
        requestCounter.close()
        scriptCounter.close()
        // Every blocking call has just been woken. The deadline is for a defect: better a leaked thread than a hung test suite.
        state.wait(until: Date(timeIntervalSinceNow: 10)) { $0.threadCount == 0 }
    }

    // MARK: Requests

    var requests: [ReceivedRequest] { state.withLock { $0.requests } }

    func record(_ request: ReceivedRequest) {
        if recordsRequests {
            state.withLock { $0.requests.append(request) }
        }
        requestCounter.advance()
    }

    var discardedBytes: Int { state.withLock { $0.discardedBytes } }

    func countDiscarded(_ count: Int) {
        state.withLock { $0.discardedBytes += count }
    }

    // MARK: Scripts

    func run(_ script: Script) {
        state.withLock { $0.scripts.append(script) }
    }

    /// Lets one `waitForRelease` step continue: one that waits, or otherwise the next.
    func release() {
        state.change { $0.releaseCount += 1 }
    }

    /// Blocks until released. `false` when the server stopped instead.
    func waitForRelease() -> Bool {
        var isReleased = false
        state.wait { state in
            if state.isStopped { return true }
            guard state.releaseCount > 0 else { return false }
            state.releaseCount -= 1
            isReleased = true
            return true
        }
        return isReleased
    }

    /// Blocks for a time in seconds. `false` when the server stopped meanwhile.
    func pause(_ seconds: TimeInterval) -> Bool {
        // Foundation traps on dates that are centuries away.
        !state.wait(until: Date(timeIntervalSinceNow: min(seconds, 86_400))) { $0.isStopped }
    }

    // MARK: Threads

    private func acceptConnections() {
        while listener.waitToAccept(or: waiting) {
            switch listener.accept() {
            case .connection(let socket): serve(socket)
            case .tryAgain: continue
            case .outOfDescriptors: _ = pause(0.02)
            case .closed: return closeListener()
            }
        }
        closeListener()
    }

    private func closeListener() {
        // A child that another thread starts just now has a copy until it runs its own program, which would listen on.
        listener.shutDown()
        listener.close()
        reserved?.close()
        waiting.close()
    }

    private func serve(_ socket: Socket) {
        let script: Script?? = state.withLock { state in
            guard !state.isStopped else { return .none }
            state.openSockets.insert(socket)
            return .some(state.scripts.isEmpty ? nil : state.scripts.removeFirst())
        }
        guard let script else { return socket.close() }
        startThread { core in
            Connection(socket: socket, core: core).run(script)
            // Removed first: from here on `stop()` must not use a descriptor that the system may have reused.
            core.state.withLock { _ = $0.openSockets.remove(socket) }
            socket.close()
            if script != nil { core.scriptCounter.advance() }
        }
    }

    private func startThread(_ body: @escaping @Sendable (ServerCore) -> Void) {
        state.withLock { $0.threadCount += 1 }
        let thread = Thread { [self] in
            body(self)
            state.change { $0.threadCount -= 1 }
        }
        thread.stackSize = Self.stackSize
        thread.start()
    }
}
