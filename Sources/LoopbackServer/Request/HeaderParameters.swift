/// The parameters of a header value, such as `b` in `a; name=b` or `a; name="b"`, read as Werkzeug reads them, and so httpbin.
///
/// Within quotes a backslash escapes any character (RFC 9110, section 5.6.4), and `%22` is a quote, as browsers write it
/// (HTML Standard, multipart form data). Nothing else is percent-decoded. Anything that is not a parameter is ignored.
struct HeaderParameters {
    private var pairs: [(name: String, value: String)] = []

    /// - Parameter header: The whole value of the header field.
    init(_ header: String) {
        var rest = Array(header.utf8)[...]
        while let semicolon = rest.firstIndex(of: .semicolon) {
            rest = rest[(semicolon + 1)...].drop { $0 == .space || $0 == .tab }
            let name = rest.prefix { $0.isToken }
            guard !name.isEmpty, rest.dropFirst(name.count).first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst(name.count + 1)
            guard let value = Self.takeQuoted(from: &rest) ?? Self.takeToken(from: &rest) else { continue }
            let text = String(decoding: value, as: UTF8.self)
            pairs.append((String(decoding: name, as: UTF8.self), text.replacing("%22", with: "\"")))
        }
    }

    /// The value of a parameter; the name's case does not matter. The last one counts.
    func value(_ name: String) -> String? {
        pairs.last { $0.name.isEqualIgnoringCase(to: name) }?.value
    }

    private static func takeToken(from bytes: inout ArraySlice<UInt8>) -> [UInt8]? {
        let token = bytes.prefix { $0.isToken }
        bytes = bytes.dropFirst(token.count)
        return token.isEmpty ? nil : Array(token)
    }

    /// The text between quotes. `nil`, and nothing taken, when it does not begin with one or has no end.
    private static func takeQuoted(from bytes: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard bytes.first == .quote else { return nil }
        var text: [UInt8] = []
        var isEscaped = false
        for (index, byte) in zip(bytes.indices, bytes).dropFirst() {
            if isEscaped {
                text.append(byte)
                isEscaped = false
            } else if byte == .quote {
                bytes = bytes[(index + 1)...]
                return text
            } else if byte == .backslash {
                isEscaped = true
            } else {
                text.append(byte)
            }
        }
        return nil
    }
}

extension UInt8 {
    /// Whether a token may have this character (RFC 9110, section 5.6.2).
    fileprivate var isToken: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
