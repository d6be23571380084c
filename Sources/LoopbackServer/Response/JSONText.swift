import Foundation

/// JSON as httpbin writes it: sorted, indented, with a line feed at the end.
enum JSONText {
    static func data(_ object: [String: Any]) -> Data {
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // The routes put nothing in but strings, numbers, null, and what was parsed from JSON.
        var data = (try? JSONSerialization.data(withJSONObject: object, options: options)) ?? Data("{}".utf8)
        data.append(.lineFeed)
        return data
    }
}
