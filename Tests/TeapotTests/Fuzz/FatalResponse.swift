/// Whether a response ends the process on Linux, whatever a wrapper does: see "Responses that end the process" in "Teapot on
/// Linux". A little too much counts as such, since libcurl is not imitated to the last byte.
enum FatalResponse {
    /// - Parameters:
    ///   - response: All that is sent.
    ///   - isReset: Whether the connection is reset after that, not closed.
    /// - Returns: Whether the process may end.
    static func endsProcess(_ response: [UInt8], isReset: Bool) -> Bool {
        // One character for each byte.
        let text = String(String.UnicodeScalarView(response.map(Unicode.Scalar.init)))
        return hasBadHeader(text, isReset: isReset) || hasTrailers(text) || hasHugeLength(text) || redirects(text)
    }

    /// Whether a length fits an `Int64`, but not as a `Double`.
    private static func hasHugeLength(_ text: String) -> Bool {
        let lengths = text.matches(of: /(?i)content-length[^\n:]*:[^\n0-9]*([0-9]+)/.matchingSemantics(.unicodeScalar))
        return lengths.contains { Int64($0.output.1).map { Double($0) >= 0x1p63 } ?? false }
    }

    /// Whether a redirect names a host without a scheme, and the host is invalid once its escapes are removed.
    private static func redirects(_ text: String) -> Bool {
        text.contains(/(?i)http\/[^ \n]* +30[1-8]/.matchingSemantics(.unicodeScalar))
            && text.contains(/(?i)location[^\n:]*:[^\n\/a-z]*\/\/[^\/?#\n]*[\[%]/.matchingSemantics(.unicodeScalar))
    }

    /// Whether a header does not end, or has a line that only libcurl takes for its end.
    private static func hasBadHeader(_ text: String, isReset: Bool) -> Bool {
        let interim = /(?i)http\/[^ \n]* +1(?!01)[0-9]{2}/.matchingSemantics(.unicodeScalar)
        let end = /\n\r?\n/.matchingSemantics(.unicodeScalar)
        var rest = text[...]
        while let range = rest.firstRange(of: end) {
            let header = rest[..<range.upperBound]
            if header.contains(/\n(\0|\r[^\n])/.matchingSemantics(.unicodeScalar)) { return true }
            guard header.prefixMatch(of: interim) != nil else { return false }
            rest = rest[range.upperBound...]
        }
        return !isReset && !rest.isEmpty
    }

    /// RFC 9112, section 7.1: chunks, one of no bytes, and then fields before the last empty line.
    private static func hasTrailers(_ text: String) -> Bool {
        text.contains(/(?i)transfer-encoding[^\n]*chunked/.matchingSemantics(.unicodeScalar))
            && text.contains(/\n0[^\n]*\n(?!\r?\n|\z)/.matchingSemantics(.unicodeScalar))
    }
}
