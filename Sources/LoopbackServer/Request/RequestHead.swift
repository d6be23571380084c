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

    /// The request, without its body.
    let request: ReceivedRequest

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
        self.framing = framing
        self.expectsContinue = expectsContinue
        let target = String(decoding: words[1], as: UTF8.self)
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        request = ReceivedRequest(
            method: String(decoding: words[0], as: UTF8.self),
            target: target,
            path: parts[0],
            query: parts.count > 1 ? parts[1] : nil,
            version: String(decoding: words[2], as: UTF8.self),
            headers: headers,
            headBytes: Data(bytes)
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
