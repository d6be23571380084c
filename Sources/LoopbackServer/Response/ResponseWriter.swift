import Foundation

/// Puts responses on the wire, each in one write where its body allows.
struct ResponseWriter {
    private static let lastChunk = Array("0\r\n\r\n".utf8)

    let socket: Socket
    let core: ServerCore

    /// Sends the answer to a request. `false` when the client is gone or the server stopped.
    func send(_ response: Response, to request: ReceivedRequest) -> Bool {
        if response.delay > 0 {
            guard core.pause(response.delay) else { return false }
        }
        let connection: String? =
            if !request.keepsAlive { "close" } else if request.version == "HTTP/1.0" { "keep-alive" } else { nil }
        return send(response, connection: connection, withBody: request.method != "HEAD")
    }

    /// Sends an answer that ends the connection.
    func sendLast(_ response: Response) -> Bool {
        send(response, connection: "close", withBody: true)
    }

    private func send(_ response: Response, connection: String?, withBody: Bool) -> Bool {
        // These have no body, whatever was asked for (RFC 9110, section 6.4.1).
        let isBodiless = response.status == 204 || response.status == 304
        var bytes = head(of: response, connection: connection, isBodiless: isBodiless)
        guard withBody, !isBodiless else { return send(bytes) }
        switch response.body {
        case .whole(let data):
            bytes.append(contentsOf: data)
            return send(bytes)
        case .chunked(let pieces):
            return send(bytes) && pieces.allSatisfy { send(chunk($0)) } && send(Self.lastChunk)
        case .dripped(let count, let pause):
            return send(bytes)
                && (0..<count).allSatisfy { index in
                    (index == 0 || pause <= 0 || core.pause(pause)) && send([.asterisk])
                }
        case .generated(let body):
            return send(bytes) && send(body)
        }
    }

    /// Sends a generated body while it is generated.
    private func send(_ body: GeneratedBody) -> Bool {
        let isSent = body.pieces.allSatisfy { range in
            let piece = GeneratedFile.bytes(range)
            return body.isChunked ? send(chunk(piece)) : piece.withUnsafeBytes { socket.send($0) }
        }
        return isSent && (!body.isChunked || send(Self.lastChunk))
    }

    private func head(of response: Response, connection: String?, isBodiless: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1024)
        bytes.append(contentsOf: "HTTP/1.1 \(response.status) \(ReasonPhrase.of(response.status))\r\n".utf8)
        func add(_ name: String, _ value: String) {
            // Text from a query must not be able to end its line.
            bytes.append(contentsOf: "\(name): \(value)".utf8.lazy.map { $0 < .space && $0 != .tab ? .space : $0 })
            bytes.append(contentsOf: "\r\n".utf8)
        }
        for header in response.headers {
            add(header.name, header.value)
        }
        if let connection { add("Connection", connection) }
        if !isBodiless {
            switch response.body {
            case .whole(let data): add("Content-Length", String(data.count))
            case .chunked: add("Transfer-Encoding", "chunked")
            case .dripped(let count, _): add("Content-Length", String(count))
            case .generated(let body) where body.isChunked: add("Transfer-Encoding", "chunked")
            case .generated(let body): add("Content-Length", String(body.range.count))
            }
        }
        bytes.append(contentsOf: "\r\n".utf8)
        return bytes
    }

    private func chunk(_ piece: Data) -> [UInt8] {
        Array("\(String(piece.count, radix: 16))\r\n".utf8) + Array(piece) + Array("\r\n".utf8)
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { socket.send($0) }
    }
}
