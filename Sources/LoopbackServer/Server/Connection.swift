import Foundation

/// One accepted connection. It lives on one thread, and that thread's caller closes the socket.
struct Connection {
    private let socket: Socket
    private let core: ServerCore
    private var reader: RequestReader

    init(socket: Socket, core: ServerCore) {
        self.socket = socket
        self.core = core
        reader = RequestReader(socket: socket)
    }

    /// Runs the script, or answers requests by the routes until either side closes.
    consuming func run(_ script: Script?) {
        var connection = self
        if let script {
            connection.follow(script)
        } else {
            connection.answerRequests()
        }
    }

    private mutating func answerRequests() {
        while let request = nextRequest() {
            if let answer = core.stored[request.path], request.method != "HEAD" {
                let isSent = answer.pieces.allSatisfy { $0.withUnsafeBytes { socket.send($0) } }
                guard isSent, request.keepsAlive else { return }
                continue
            }
            if let script = core.fault(request) { return follow(script) }
            let response = Router.response(to: request)
            guard ResponseWriter(socket: socket, core: core).send(response, to: request), request.keepsAlive else {
                return
            }
        }
    }

    /// Reads and records a request. `nil` at the end of the connection, after an answer to what could not be read.
    private mutating func nextRequest() -> ReceivedRequest? {
        do {
            guard let request = try reader.next() else { return nil }
            core.record(request)
            return request
        } catch {
            refuse(error)
            return nil
        }
    }

    private mutating func refuse(_ error: RequestError) {
        guard let status = error.status else { return }
        guard ResponseWriter(socket: socket, core: core).sendLast(.text(error.description, status: status)) else {
            return
        }
        // Closing with unread bytes would be a reset, and that can overtake the answer.
        socket.finishSending()
        reader.discardRest(limit: 1 << 24)
    }

    private mutating func follow(_ script: Script) {
        var head: RequestHead?
        for step in script.steps {
            switch step {
            case .readRequest:
                guard let request = try? reader.next() else { return }
                core.record(request)
            case .readHead:
                guard let next = try? reader.nextHead() else { return }
                head = next
            case .readBody:
                guard let head, let request = try? reader.request(of: head) else { return }
                core.record(request)
            case .send(let data):
                guard data.withUnsafeBytes({ socket.send($0) }) else { return }
            case .pause(let seconds):
                guard core.pause(seconds) else { return }
            case .waitForRelease:
                guard core.waitForRelease() else { return }
            case .close:
                return
            case .finishSending:
                socket.finishSending()
            case .reset:
                return socket.resetOnClose()
            case .stall:
                return reader.discardRest(limit: .max) { core.countDiscarded($0) }
            }
        }
    }
}
