internal import Teapot

/// The requests to an endpoint that is declared in code. What is not given is not looked at.
struct EndpointMatcher: RequestMatcher {
    var path: PathPattern
    var method: HTTPMethod?
    /// Of each name the first item counts.
    var query: [String: String] = [:]
    /// Names are compared without regard to case (RFC 9110, section 5.1), values byte for byte.
    var headerFields: [String: String] = [:]
    /// JSON is compared as values, anything else byte for byte.
    var body: Data?

    func match(_ request: RecordedRequest) -> [String: String]? {
        guard let parameters = path.match(request.pathComponents) else { return nil }
        return differencesBesidePath(from: request).isEmpty ? parameters : nil
    }

    func differences(from request: RecordedRequest) -> [Difference] {
        let isPathRight = path.match(request.pathComponents) != nil
        return (isPathRight ? [] : [.path(path.text, received: request.url)]) + differencesBesidePath(from: request)
    }

    private func differencesBesidePath(from request: RecordedRequest) -> [Difference] {
        var differences: [Difference] = []
        if let method, method != request.method { differences.append(.method(method, received: request.method)) }
        if !query.isEmpty {
            let items = request.queryItems
            for (name, value) in query.sorted(by: <) {
                let received = items.first { $0.name == name }.map { $0.value ?? "" }
                guard !Self.isSame(value, received) else { continue }
                differences.append(.queryItem(name, value, received: received))
            }
        }
        for (name, value) in headerFields.sorted(by: <) {
            let received = request.headerFields[name]
            guard !Self.isSame(value, received) else { continue }
            differences.append(.headerField(name, value, received: received))
        }
        if let body, let difference = difference(of: body, from: request.body) { differences.append(.body(difference)) }
        return differences
    }

    private func difference(of body: Data, from received: Data) -> BodyDifference? {
        BodyDifference(expected: body, received: received, isRecorded: false)
    }

    /// `String` takes a letter and its decomposed form for the same.
    private static func isSame(_ text: String, _ received: String?) -> Bool {
        received.map { $0.utf8.elementsEqual(text.utf8) } ?? false
    }

    // MARK: - Against each other

    /// Path, method, query, header fields, body, in this order.
    var specificity: [Int] {
        path.specificity + [method == nil ? 0 : 1, query.count, headerFields.count, body == nil ? 0 : 1]
    }

    func ties(with other: any RequestMatcher) -> Bool {
        guard let other = other as? EndpointMatcher else { return false }
        return specificity == other.specificity && path.overlaps(other.path) && method == other.method
            && Self.canBoth(query, other.query)
            && Self.canBoth(lowercased(headerFields), lowercased(other.headerFields))
            && (body == other.body || canBothMatch(other))
    }

    /// Whether a request can have the values of both.
    private static func canBoth(_ values: [String: String], _ others: [String: String]) -> Bool {
        values.allSatisfy { name, value in others[name].map { $0 == value } ?? true }
    }

    private func lowercased(_ fields: [String: String]) -> [String: String] {
        Dictionary(fields.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    }

    private func canBothMatch(_ other: EndpointMatcher) -> Bool {
        guard let body, let otherBody = other.body else { return true }
        return difference(of: body, from: otherBody) == nil
    }

    // MARK: - As text

    /// `GET users/:id?page=2 with X-Client, a body`
    func summary(_ secrets: SecretPolicy) -> String {
        let items = query.sorted(by: <).map { "\($0.key)=\(secrets.shown($0.value, named: $0.key))" }
        let details = headerFields.keys.sorted() + (body == nil ? [] : ["a body"])
        return [
            method.map { "\($0) " } ?? "",
            path.text.isEmpty ? "\"\"" : path.text,
            items.isEmpty ? "" : "?" + items.joined(separator: "&"),
            details.isEmpty ? "" : " with " + details.joined(separator: ", "),
        ].joined().onOneLine
    }
}
