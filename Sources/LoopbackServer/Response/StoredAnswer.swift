package import Foundation

/// An answer that is made once and sent as it is, again and again, so that a benchmark does not wait for the server.
package struct StoredAnswer: Sendable {
    /// A longer body is not copied behind the head, but sent by itself.
    private static let copyLimit = 1 << 20

    /// The bytes to send, in one write each.
    let pieces: [Data]

    /// Makes an answer with status 200.
    ///
    /// - Parameters:
    ///   - contentType: The media type.
    ///   - body: The body; it stays in memory.
    package init(contentType: String, body: Data) {
        let head = Data(
            "HTTP/1.1 200 OK\r\nContent-Type: \(contentType)\r\nContent-Length: \(body.count)\r\n\r\n".utf8
        )
        pieces = body.count > Self.copyLimit ? [head, body] : [head + body]
    }
}
