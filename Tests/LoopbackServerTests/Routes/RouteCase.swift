import Testing

/// A request and what must come back, whichever route answers.
struct RouteCase: Sendable, CustomTestStringConvertible {
    var method = "GET"
    let target: String
    var headers: [String] = []
    var body: String?
    var status = 200
    var contentType: String?
    var keys: Set<String>?
    var expected: [String: String] = [:]

    var testDescription: String { "\(method) \(target)" }

    static let summaryKeys: Set = ["args", "headers", "origin", "url"]
    static let fullKeys = summaryKeys.union(["data", "files", "form", "json"])

    static func json(
        _ method: String = "GET",
        _ target: String,
        headers: [String] = [],
        body: String? = nil,
        keys: Set<String>
    ) -> RouteCase {
        RouteCase(
            method: method,
            target: target,
            headers: headers,
            body: body,
            contentType: "application/json",
            keys: keys
        )
    }

    static func status(
        _ status: Int,
        _ method: String = "GET",
        _ target: String,
        headers: [String] = [],
        _ expected: [String: String] = [:]
    ) -> RouteCase {
        RouteCase(method: method, target: target, headers: headers, status: status, expected: expected)
    }
}
