import Foundation

/// A request line and header fields, taken apart (RFC 9112, sections 3 and 5).
struct RequestHead {
    /// How the length of the body is told (RFC 9112, section 6).
    enum Framing {
        case none
        case length(Int)
        case chunked
    }

    let framing: Framing
    let expectsContinue: Bool

    private let method: String
    private let target: String
    private let version: String
    private let headers: [(name: String, value: String)]
    private let text: String

    /// Takes a head apart.
    ///
    /// - Parameter bytes: The head with the empty line at its end.
    /// - Throws: ``RequestError/malformed(_:)``.
    init(_ bytes: ArraySlice<UInt8>) throws(RequestError) {
        let lines = bytes.dropLast(4).split(separator: .lineFeed, omittingEmptySubsequences: false).map { line in
            line.last == .carriageReturn ? line.dropLast() : line
        }
        let words = (lines.first ?? []).split(separator: .space, omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, !words[1].isEmpty, words[2].starts(with: "HTTP/1.".utf8) else {
            throw .malformed("the request line")
        }
        method = String(decoding: words[0], as: UTF8.self)
        target = String(decoding: words[1], as: UTF8.self)
        version = String(decoding: words[2], as: UTF8.self)
        text = String(decoding: bytes, as: UTF8.self)

        var headers: [(name: String, value: String)] = []
        headers.reserveCapacity(lines.count - 1)
        var framing = Framing.none
        var expectsContinue = false
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: .colon), colon > line.startIndex, let first = line.first,
                first != .space, first != .tab
            else { throw .malformed("a header field") }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            let value = String(decoding: line[(colon + 1)...].trimmed, as: UTF8.self)
            headers.append((name, value))
            if name.isEqualIgnoringCase(to: "Content-Length"), case .none = framing {
                guard let length = Int(value), length >= 0 else { throw .malformed("Content-Length \(value)") }
                framing = .length(length)
            } else if name.isEqualIgnoringCase(to: "Transfer-Encoding") {
                guard value.isEqualIgnoringCase(to: "chunked") else { throw .malformed("Transfer-Encoding \(value)") }
                framing = .chunked
            } else if name.isEqualIgnoringCase(to: "Expect") {
                expectsContinue = value.isEqualIgnoringCase(to: "100-continue")
            }
        }
        self.headers = headers
        self.framing = framing
        self.expectsContinue = expectsContinue
    }

    /// Whether the body is wanted for its digest alone, and may be large.
    var digestsBody: Bool {
        target.prefix { $0 != "?" } == DigestRoutes.path
    }

    /// The whole request.
    func request(with body: IncomingBody) -> ReceivedRequest {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return ReceivedRequest(
            method: method,
            target: target,
            path: parts.first.map(String.init) ?? "",
            query: parts.count > 1 ? String(parts[1]) : nil,
            version: version,
            headers: headers,
            body: body.data,
            bodyDigest: body.digest,
            head: text
        )
    }
}

extension ArraySlice<UInt8> {
    /// Without spaces and tabs at either end.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == .space || byte == .tab }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return []
        }
        return self[first...last]
    }
}
