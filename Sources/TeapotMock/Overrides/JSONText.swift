internal import Teapot

/// JSON of any kind, a single value included, as bodies are compared.
enum JSONText {
    /// The value that a body holds; `nil` when it is no JSON, or nested more deeply than the stack allows.
    static func value(in body: Data) -> Any? {
        let value = try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)
        return value.flatMap { JSONBytes.isWithinDepth($0) ? $0 : nil }
    }

    /// A value on one line, with sorted names.
    static func text(of value: Any) -> String? {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
        let data = try? JSONSerialization.data(withJSONObject: value, options: options)
        return data.map { String(decoding: $0, as: UTF8.self) }
    }
}
