import Foundation

/// Why a response ends the process on Linux, whatever a wrapper does: see "Responses that end the process" in "Teapot on
/// Linux". A little too much counts as such, since libcurl is not imitated to the last byte.
enum FatalResponse: String, CaseIterable {
    case unfinishedHeader, hiddenEnd, trailers, hugeLength, location

    /// - Parameters:
    ///   - response: All that is sent.
    ///   - isReset: Whether the connection is reset after that, not closed.
    init?(_ response: [UInt8], isReset: Bool) {
        var rest = response[...]
        while true {
            guard let statusLine = Self.takeLine(&rest), Self.isTaken(statusLine) else { return nil }
            var fields: [Field] = []
            while true {
                guard let line = Self.takeLine(&rest) else {
                    guard !isReset else { return nil }
                    self = .unfinishedHeader
                    return
                }
                // libcurl looks at the first byte only.
                if line.isEmpty || line.elementsEqual([0x0D]) { break }
                guard line.first != 0x0D, line.first != 0 else {
                    self = .hiddenEnd
                    return
                }
                fields.append(Field(line))
            }
            let status = Self.status(statusLine)
            if let fatal = Self(fields, status: status) {
                self = fatal
                return
            }
            guard (100...199).contains(status), status != 101 else {
                let isChunked = fields.contains {
                    $0.name == "transfer-encoding" && $0.value.lowercased().contains("chunked")
                }
                guard isChunked, Self.hasTrailers(rest) else { return nil }
                self = .trailers
                return
            }
        }
    }

    private init?(_ fields: [Field], status: Int) {
        if fields.contains(where: { $0.name == "content-length" && Self.isHuge($0.value) }) {
            self = .hugeLength
        } else if (301...308).contains(status),
            fields.contains(where: { $0.name == "location" && Self.isFatal($0.value) })
        {
            self = .location
        } else {
            return nil
        }
    }

    // MARK: - Lines

    private struct Field {
        let name: String
        let value: String

        init(_ line: ArraySlice<UInt8>) {
            let halves = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            let texts = halves.map {
                String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            }
            (name, value) = (texts[0].lowercased(), texts.count > 1 ? texts[1] : "")
        }
    }

    /// Takes the next line, without the LF at its end.
    private static func takeLine(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: 0x0A) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
    }

    /// Whether libcurl reads on after such a first line.
    private static func isTaken(_ statusLine: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: statusLine, as: UTF8.self)
        guard text.hasPrefix("HTTP/") else { return text.lowercased().hasPrefix("http/") }
        let version = text.dropFirst(5).prefix { $0 != " " }
        return version.wholeMatch(of: /[0-9](\.[0-9])?/) == nil || ["1.0", "1.1", "2", "2.0", "3"].contains(version)
    }

    private static func status(_ statusLine: ArraySlice<UInt8>) -> Int {
        let words = statusLine.split(separator: UInt8(ascii: " "))
        return words.count > 1 ? Int(String(decoding: words[1].prefix(3), as: UTF8.self)) ?? 0 : 0
    }

    // MARK: - Values

    /// Whether a length fits an `Int64`, but not as a `Double`.
    private static func isHuge(_ length: String) -> Bool {
        let digits = length.drop { $0 == "+" }.prefix { $0.isNumber }
        return Int64(digits).map { Double($0) >= 0x1p63 } ?? false
    }

    /// Whether it names a host without a scheme, and the host without its escapes is none.
    private static func isFatal(_ location: String) -> Bool {
        guard location.hasPrefix("//") else { return false }
        let authority = location.dropFirst(2).prefix { !"/?#".contains($0) }
        return authority.contains { "[%".contains($0) }
    }

    /// RFC 9112, section 7.1: chunks, one of no bytes, and then fields before the last empty line.
    private static func hasTrailers(_ body: ArraySlice<UInt8>) -> Bool {
        var rest = body
        while let line = takeLine(&rest) {
            let digits = line.prefix { Character(Unicode.Scalar($0)).isHexDigit }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { return false }
            guard size > 0 else { return !(rest.isEmpty || rest.starts(with: [0x0D, 0x0A]) || rest.first == 0x0A) }
            guard size <= rest.count else { return false }
            rest = rest.dropFirst(size)
            _ = takeLine(&rest)
        }
        return false
    }
}
