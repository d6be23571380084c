import Foundation
import LoopbackServer

/// A payload of nested values, some of which JSON cannot hold.
struct JSONFuzzTree {
    let object: [String: Any]
    /// Whether JSON can hold all of it.
    let isValid: Bool

    private struct Opaque {}

    init(_ generator: inout SeededGenerator) {
        var isValid = true
        let mayBeInvalid = generator.oneIn(3)
        var value: Any = Self.value(depth: 4, mayBeInvalid, &generator, &isValid)
        if generator.oneIn(20) {
            let levels = generator.pick([100, 126, 127, 128, 129, 400])
            for _ in 0..<levels { value = generator.oneIn(2) ? [value] as [Any] : ["a": value] as [String: Any] }
        }
        object = ["root": value, generator.text(): generator.text()]
        self.isValid = isValid && Self.depth(of: object) <= 128
    }

    private static func value(
        depth: Int,
        _ mayBeInvalid: Bool,
        _ generator: inout SeededGenerator,
        _ isValid: inout Bool
    ) -> Any {
        switch generator.number(0...(depth > 0 ? 9 : 5)) {
        case 0: return generator.text()
        case 1: return generator.pick([0, -1, 1, .max, .min, 1 << 53 + 1])
        case 2: return generator.pick([0, -0.0, 0.1, 1e308, 1e-300, -1.5, 1e21, 123_456_789.123_456_78])
        case 3: return generator.oneIn(2)
        case 4: return NSNull()
        case 5:
            guard mayBeInvalid else { return generator.pick([UInt64.max, 7]) }
            isValid = false
            return generator.pick([
                Double.nan, Double.infinity, -Float.infinity, Date(), Data([1]), Opaque(), URL(filePath: "/"), [1: "a"],
                Set(["a"]), UUID(), ("a", 1),
            ])
        case 6, 7:
            return (0..<generator.number(0...3)).map { _ in value(depth: depth - 1, mayBeInvalid, &generator, &isValid)
            }
        default:
            return (0..<generator.number(0...3)).reduce(into: [String: Any]()) { object, _ in
                // A value that another replaces does not count.
                let key = generator.text(upTo: 3) + "\(object.count)"
                object[key] = value(depth: depth - 1, mayBeInvalid, &generator, &isValid)
            }
        }
    }

    private static func depth(of value: Any) -> Int {
        let children = (value as? [String: Any]).map { Array($0.values) } ?? value as? [Any]
        return children?.map { 1 + depth(of: $0) }.max() ?? 0
    }

    /// Whether the bytes are JSON for the same values.
    func isHeld(by data: Data?) -> Bool {
        guard let data, let node = try? JSONDecoder().decode(Node.self, from: data) else { return false }
        return node.isEqual(to: object)
    }

    /// The value as `JSONDecoder` reads it: `JSONSerialization` loses a byte order mark at the start of a string, and the last bit of some
    /// numbers.
    private enum Node: Decodable {
        case null
        case bool(Bool)
        case integer(Int)
        case natural(UInt64)
        case number(Double)
        case text(String)
        case array([Node])
        case object([String: Node])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Int.self) {
                self = .integer(value)
            } else if let value = try? container.decode(UInt64.self) {
                self = .natural(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode([Node].self) {
                self = .array(value)
            } else {
                self = .object(try container.decode([String: Node].self))
            }
        }

        func isEqual(to given: Any) -> Bool {
            switch (self, given) {
            case (.object(let object), let given as [String: Any]):
                object.count == given.count && object.allSatisfy { key, node in given[key].map(node.isEqual) ?? false }
            case (.array(let array), let given as [Any]):
                array.count == given.count && zip(array, given).allSatisfy { $0.isEqual(to: $1) }
            case (.text(let text), let given as String): text.utf8.elementsEqual(given.utf8)
            case (.null, is NSNull): true
            case (.bool(let value), let given as Bool): value == given
            case (.integer(let value), let given as Int): value == given
            case (.integer(let value), let given as UInt64): UInt64(exactly: value) == given
            case (.natural(let value), let given as UInt64): value == given
            case (.integer(let value), let given as Double): Double(value) == given
            case (.number(let value), let given as Double): value == given
            default: false
            }
        }
    }
}
