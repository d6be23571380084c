package import Foundation

/// One whole request, as it came over the wire.
package struct ReceivedRequest: Sendable {
    /// The method as written.
    package let method: String

    /// The request target as written, such as `/v1/users?q=a%26b&x`.
    package let target: String

    /// The part of the target before the first `?`, still percent-encoded.
    package let path: String

    /// The part of the target after the first `?`, still percent-encoded. `nil` without a `?`.
    package let query: String?

    /// The protocol version as written, such as `HTTP/1.1`.
    package let version: String

    /// The header fields in the order and the capitalisation of the wire.
    package let headers: [(name: String, value: String)]

    /// The body, with any chunked coding taken off. Empty if it was only digested.
    package internal(set) var body = Data()

    /// The digest of a body sent to `/digest`, which is never kept; `nil` for any other request.
    package internal(set) var bodyDigest: BodyDigest?

    /// The request line and header fields as they came, with the empty line at the end.
    package let headBytes: Data

    /// The same as text.
    package var head: String { String(decoding: headBytes, as: UTF8.self) }

    /// The first value of a header field; the name's case does not matter.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.isEqualIgnoringCase(to: name) }?.value
    }
}

extension ReceivedRequest {
    /// Whether the connection may be used again after this request (RFC 9112, section 9.3).
    var keepsAlive: Bool {
        guard let connection = header("Connection") else { return version != "HTTP/1.0" }
        if connection.isEqualIgnoringCase(to: "close") { return false }
        return version != "HTTP/1.0" || connection.isEqualIgnoringCase(to: "keep-alive")
    }
}

extension String {
    /// Compares as header names compare: ASCII letters without regard to case.
    func isEqualIgnoringCase(to other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0 == $1 || ($0 ^ $1 == 0x20 && (0x61...0x7A).contains($0 | 0x20)) }
    }
}
