import Teapot

/// A body that equals another if both are the same JSON, or otherwise the same bytes.
enum CanonicalBody: Sendable, Equatable {
    /// With sorted names and without blanks.
    case json(String)
    case bytes([UInt8])

    init(_ data: Data) { self = Self.json(in: data).map { .json($0.text) } ?? .bytes(Array(data)) }

    /// The value and the text of JSON of any kind; `nil` for anything else, or if it is nested too deeply.
    static func json(in data: Data) -> (value: Any, text: String)? {
        guard let value = JSONScanner.value(of: data), let text = try? JSONWriter.data(of: value) else { return nil }
        return (value, text.text)
    }

    /// A text that differs from that of any other body.
    var id: String {
        switch self {
        case .json(let text): text
        case .bytes(let bytes): "bytes \(Data(bytes).base64EncodedString())"
        }
    }

    /// The bytes for comparisons with redacted bodies.
    var data: Data {
        switch self {
        case .json(let text): text.encoded
        case .bytes(let bytes): Data(bytes)
        }
    }
}
