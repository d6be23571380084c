internal import Foundation

/// Turns a ``RequestParameter`` into bytes, after a look at every value.
///
/// On Linux `JSONSerialization.isValidJSONObject` takes about 1.8 KB of stack a level: some 280 levels overflow the 512 KB
/// of a small thread, and 4,500 the 8 MB of a large one. So the depth is bounded here first.
package enum JSONBytes {
    /// How deeply objects and arrays may lie in each other.
    package static let maximumDepth = 128

    /// The bytes that a body sends.
    ///
    /// - Throws: `invalidPayload`, with the place of the value that JSON (RFC 8259) cannot hold.
    package static func encode(_ parameter: RequestParameter) throws(TeapotError) -> Data {
        switch parameter {
        case .data(let data): data
        case .dictionary(let dictionary): try encode(object: dictionary)
        case .array(let array): try encode(object: array)
        }
    }

    private static func encode(object: Any) throws(TeapotError) -> Data {
        var writer = JSONWriter()
        guard !writer.write(object) else { return writer.data }
        guard isWithinDepth(object) else {
            throw .invalidPayload(reason: "the payload is nested more than \(maximumDepth) levels deep")
        }
        throw .invalidPayload(reason: offender(in: object, at: "$") ?? "$ holds a value that is not JSON")
    }

    /// Whether objects and arrays lie at most ``maximumDepth`` deep in each other.
    package static func isWithinDepth(_ value: Any, depth: Int = 0) -> Bool {
        guard depth <= maximumDepth else { return false }
        if let dictionary = value as? [String: Any] {
            return dictionary.values.allSatisfy { isWithinDepth($0, depth: depth + 1) }
        }
        guard let array = value as? [Any] else { return true }
        return array.allSatisfy { isWithinDepth($0, depth: depth + 1) }
    }

    /// Finds the first value that JSON cannot hold, for the error's sake.
    private static func offender(in value: Any, at place: String) -> String? {
        for (step, child) in children(of: value) {
            if let found = offender(in: child, at: place + step) { return found }
        }
        guard !(value is [String: Any]), !(value is [Any]) else { return nil }
        guard !JSONSerialization.isValidJSONObject([value]) else { return nil }
        if let number = value as? Double, !number.isFinite { return "\(place) is \(number), which JSON cannot hold" }
        return "\(place) is a \(type(of: value)), which JSON cannot hold"
    }

    private static func children(of value: Any) -> [(step: String, value: Any)] {
        if let dictionary = value as? [String: Any] {
            return dictionary.sorted { $0.key < $1.key }.map { ($0.key.asPlace, $0.value) }
        }
        if let array = value as? [Any] {
            return array.enumerated().map { ("[\($0.offset)]", $0.element) }
        }
        return []
    }
}
