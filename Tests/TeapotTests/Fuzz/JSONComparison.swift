import Foundation

@testable internal import Teapot

/// Compares what `JSONScanner` makes of a document with what `JSONSerialization` makes of it.
enum JSONComparison {
    static func problems(_ data: Data) -> [String] {
        let expected = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        let value = JSONScanner.value(of: data)
        let shown = data.count > 2_000 ? "\(data.count) bytes" : String(decoding: data, as: UTF8.self).debugDescription
        let problems = difference(value, expected, at: "$").map { [$0] } ?? []
        return problems.map { "\($0) in \(shown), \(Array(data.prefix(40)))" }
    }

    /// The first place at which values, their types, or what they can be cast to, differ.
    private static func difference(_ value: Any?, _ expected: Any?, at place: String) -> String? {
        guard let value, let expected else {
            return (value == nil) == (expected == nil) ? nil : "\(place) is \(show(value)), not \(show(expected))"
        }
        guard type(of: value) == type(of: expected) else { return "\(place) is \(show(value)), not \(show(expected))" }
        let isSame =
            (value as? [[String: Any]] == nil) == (expected as? [[String: Any]] == nil)
            && (value as? [String: Any] == nil) == (expected as? [String: Any] == nil)
            && (value as? [String]) == (expected as? [String]) && (value as? [Int]) == (expected as? [Int])
        guard isSame else { return "\(place) is cast to other types than \(show(expected))" }
        switch (value, expected) {
        case (let value as [String: Any], let expected as [String: Any]):
            return difference(value, expected, at: place)
        case (let value as [Any], let expected as [Any]):
            guard value.count == expected.count else { return "\(place) has \(value.count), not \(expected.count)" }
            return value.indices.lazy.compactMap { difference(value[$0], expected[$0], at: "\(place)[\($0)]") }.first
        case (let value as NSNumber, let expected as NSNumber):
            return facts(value) == facts(expected)
                ? nil : "\(place) is \(facts(value)), not \(facts(expected))"
        case (let value as String, let expected as String):
            return value.utf8.elementsEqual(expected.utf8)
                ? nil : "\(place) is \(value.debugDescription), not \(expected.debugDescription)"
        case (is NSNull, is NSNull): return nil
        default: return "\(place) is \(show(value)), of another type than expected"
        }
    }

    private static func difference(_ value: [String: Any], _ expected: [String: Any], at place: String) -> String? {
        // By bytes: names that Unicode has for equal are one, and the first stays.
        let names = [value, expected].map { $0.keys.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) } }
        guard names[0] == names[1] else { return "\(place) has the names \(value.keys), not \(expected.keys)" }
        return value.keys.lazy.compactMap { difference(value[$0], expected[$0], at: "\(place).\($0)") }.first
    }

    private static func facts(_ number: NSNumber) -> [String] {
        let any: Any = number
        let casts: [Any?] = [
            any as? Int, any as? UInt, any as? Int32, any as? UInt8, any as? Double, any as? Float, any as? Bool,
            any as? String, any as? Decimal,
        ]
        let decimal = withUnsafeBytes(of: number.decimalValue) { Array($0) }
        return [
            "\(type(of: number))", String(cString: number.objCType), number.stringValue,
            "\(number.doubleValue.bitPattern)",
            "\(number.intValue) \(number.uint64Value) \(number.boolValue)", "\(decimal)",
        ] + casts.map { $0.map { "\($0)" } ?? "nil" }
    }

    private static func show(_ value: Any?) -> String {
        value.map { "a \(type(of: $0)), \(String(describing: $0).prefix(200))" } ?? "refused"
    }
}
