internal import Teapot

/// A body that equals another one if both are the same JSON, or else the same bytes.
enum CanonicalBody: Sendable, Hashable {
    /// With sorted names and without blanks.
    case json(String)
    case bytes(Data)

    init(_ data: Data) {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
        guard let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed),
            JSONBytes.isWithinDepth(value),
            let json = try? JSONSerialization.data(withJSONObject: value, options: options)
        else {
            self = .bytes(data)
            return
        }
        self = .json(String(decoding: json, as: UTF8.self))
    }

    /// What is compared where something was redacted.
    var data: Data {
        switch self {
        case .json(let text): Data(text.utf8)
        case .bytes(let data): data
        }
    }
}
