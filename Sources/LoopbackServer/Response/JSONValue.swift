import Foundation

/// JSON to be written. `JSONSerialization` takes ten times as long, and a benchmark would measure that.
enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Text that is JSON already.
    case raw(String)

    /// A body that parses as JSON, as it is, so that its numbers keep their digits; else null.
    init(body: Data) {
        if let text = String(data: body, encoding: .utf8),
            (try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)) != nil
        {
            self = .raw(text)
        } else {
            self = .null
        }
    }

    /// The text as httpbin writes it: sorted, indented, with a line feed at the end.
    var data: Data { text(indentation: 0) }

    /// The text on one line, with a line feed at the end.
    var line: Data { text(indentation: nil) }

    private func text(indentation: Int?) -> Data {
        Data(bytes(indentation: indentation) + [.lineFeed])
    }

    /// Without an indentation all is on one line.
    private func bytes(indentation: Int?) -> [UInt8] {
        let inner = indentation.map { $0 + 2 }
        switch self {
        case .null: return Array("null".utf8)
        case .bool(let value): return Array("\(value)".utf8)
        case .string(let text): return Self.quoted(text)
        case .raw(let text): return Array(text.utf8)
        case .array(let values):
            return Self.list("[", values.map { $0.bytes(indentation: inner) }, "]", indentation: indentation)
        case .object(let values):
            let members = values.sorted { $0.key < $1.key }.map { name, value in
                Self.quoted(name) + ": ".utf8 + value.bytes(indentation: inner)
            }
            return Self.list("{", members, "}", indentation: indentation)
        }
    }

    private static func list(_ open: String, _ items: [[UInt8]], _ close: String, indentation: Int?) -> [UInt8] {
        guard !items.isEmpty else { return Array((open + close).utf8) }
        let end = indentation.map { "\n" + String(repeating: " ", count: $0) } ?? ""
        let start = indentation.map { _ in end + "  " } ?? ""
        let separator = Array((indentation == nil ? ", " : "," + start).utf8)
        // `joined` goes byte by byte, which takes long in a debug build.
        let list = items.dropFirst().reduce(into: items[0]) { $0 += separator + $1 }
        return Array((open + start).utf8) + list + (end + close).utf8
    }

    /// A string with what must be escaped escaped (RFC 8259, section 7).
    private static func quoted(_ text: String) -> [UInt8] {
        // Most need no escape, and a loop takes a debug build most of its time.
        guard strcspn(text, escaped) < text.utf8.count else { return [.quote] + Array(text.utf8) + [.quote] }
        var bytes: [UInt8] = [.quote]
        for byte in text.utf8 {
            switch byte {
            case .quote, UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case .lineFeed: bytes += "\\n".utf8
            case ..<UInt8.space: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
        return bytes + [.quote]
    }

    private static let escaped = "\"\\" + String(String.UnicodeScalarView((1..<32).compactMap(Unicode.Scalar.init)))
}
