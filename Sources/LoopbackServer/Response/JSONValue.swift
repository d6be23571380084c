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
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1024)
        write(to: &bytes, indentation: indentation)
        bytes.append(.lineFeed)
        return Data(bytes)
    }

    /// Without an indentation all is on one line.
    private func write(to bytes: inout [UInt8], indentation: Int?) {
        let inner = indentation.map { $0 + 2 }
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .string(let text): Self.write(text, to: &bytes)
        case .raw(let text): bytes.append(contentsOf: text.utf8)
        case .array(let values):
            Self.write(values, between: (UInt8(ascii: "["), UInt8(ascii: "]")), to: &bytes, indentation: indentation) {
                value,
                bytes in
                value.write(to: &bytes, indentation: inner)
            }
        case .object(let values):
            let members = values.sorted { $0.key < $1.key }
            Self.write(members, between: (UInt8(ascii: "{"), UInt8(ascii: "}")), to: &bytes, indentation: indentation) {
                member,
                bytes in
                Self.write(member.key, to: &bytes)
                bytes.append(contentsOf: ": ".utf8)
                member.value.write(to: &bytes, indentation: inner)
            }
        }
    }

    private static func write<Item>(
        _ items: [Item],
        between brackets: (open: UInt8, close: UInt8),
        to bytes: inout [UInt8],
        indentation: Int?,
        item writeItem: (Item, inout [UInt8]) -> Void
    ) {
        bytes.append(brackets.open)
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            if let indentation {
                breakLine(&bytes, indentation: indentation + 2)
            } else if index > 0 {
                bytes.append(.space)
            }
            writeItem(item, &bytes)
        }
        if !items.isEmpty, let indentation {
            breakLine(&bytes, indentation: indentation)
        }
        bytes.append(brackets.close)
    }

    private static func breakLine(_ bytes: inout [UInt8], indentation: Int) {
        bytes.append(.lineFeed)
        bytes.append(contentsOf: repeatElement(.space, count: indentation))
    }

    /// Writes a string with what must be escaped escaped (RFC 8259, section 7).
    private static func write(_ text: String, to bytes: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        bytes.append(quote)
        defer { bytes.append(quote) }
        // Most need no escape, and a loop takes a debug build most of its time.
        guard strcspn(text, escaped) < text.utf8.count else { return bytes.append(contentsOf: text.utf8) }
        for byte in text.utf8 {
            switch byte {
            case quote, UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case .lineFeed: bytes.append(contentsOf: "\\n".utf8)
            case ..<UInt8.space:
                bytes.append(contentsOf: (byte < 16 ? "\\u000" : "\\u00").utf8)
                bytes.append(contentsOf: String(byte, radix: 16).utf8)
            default: bytes.append(byte)
            }
        }
    }

    private static let escaped = "\"\\" + String(String.UnicodeScalarView((1..<32).compactMap(Unicode.Scalar.init)))
}
