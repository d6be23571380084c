internal import Teapot

/// A body that equals another if both are the same JSON, or otherwise the same bytes.
enum CanonicalBody: Sendable, Hashable {
    /// With sorted names and without blanks.
    case json(String)
    case bytes(Data)

    init(_ data: Data) {
        self = JSONText(data).map { .json($0.text) } ?? .bytes(data)
    }

    /// The bytes for comparisons with redacted bodies.
    var data: Data {
        switch self {
        case .json(let text): Data(text.utf8)
        case .bytes(let data): data
        }
    }
}
