internal import Teapot

/// Which requests an override answers. What is not given is not looked at.
struct RequestMatcher: Sendable, Hashable {
    var path: PathPattern
    var method: HTTPMethod?
    /// Of each name the first item counts.
    var query: [String: String] = [:]
    /// Names are compared without regard to case (RFC 9110, section 5.1), values byte for byte.
    var headerFields: [String: String] = [:]
    /// JSON is compared as values, anything else byte for byte.
    var body: Data?
    /// Of an entry of a recording, with its whole URL instead of a path and a query.
    private var recorded: RecordedKey?
    private var recordedURL: RecordedURL? { recorded?.url }

    init(
        path: PathPattern,
        method: HTTPMethod? = nil,
        query: [String: String] = [:],
        headerFields: [String: String] = [:],
        body: Data? = nil
    ) {
        (self.path, self.method, self.query) = (path, method, query)
        (self.headerFields, self.body) = (headerFields, body)
    }

    /// Of an entry of a recording.
    init(_ recorded: RecordedKey, body: Data?) {
        self.init(path: PathPattern(""), method: recorded.method, body: body)
        self.recorded = recorded
    }

    /// The values of the path's parameters; `nil` when the request is another.
    func match(_ request: RecordedRequest) -> [String: String]? {
        if let recorded { return recorded.matches(request) ? [:] : nil }
        guard let parameters = path.match(request.pathComponents) else { return nil }
        return differencesBesidePath(from: request).isEmpty ? parameters : nil
    }

    /// What a request would have to have otherwise, the most telling first; empty when it matches.
    func differences(from request: RecordedRequest) -> [Difference] {
        if let recordedURL { return recordedURL.differences(from: request.url) + differencesBesidePath(from: request) }
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
        BodyDifference(expected: body, received: received, isRecorded: recordedURL != nil)
    }

    /// `String` takes a letter and its decomposed form for the same.
    private static func isSame(_ text: String, _ received: String?) -> Bool {
        received.map { $0.utf8.elementsEqual(text.utf8) } ?? false
    }

    // MARK: - Against each other

    /// What is compared to find the most specific: path, method, query, header fields, body, in this order.
    ///
    /// An entry of a recording goes behind what is declared; of several, the one goes first of which the least was redacted.
    var specificity: [Int] {
        if let recordedURL {
            let text = body.map { RedactedText(text: String(decoding: $0, as: UTF8.self)) }
            return [-1, -recordedURL.gaps - (text?.gaps ?? 0), text == nil ? 0 : 1]
        }
        return path.specificity + [method == nil ? 0 : 1, query.count, headerFields.count, body == nil ? 0 : 1]
    }

    /// Whether neither goes first for some request that both match.
    func ties(with other: RequestMatcher) -> Bool {
        recordedURL == nil && other.recordedURL == nil && specificity == other.specificity && path.overlaps(other.path)
            && method == other.method
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

    private func canBothMatch(_ other: RequestMatcher) -> Bool {
        guard let body, let otherBody = other.body else { return true }
        return difference(of: body, from: otherBody) == nil
    }

    // MARK: - As text

    /// What was declared, on one line: `GET users/:id?page=2 with X-Client and a body`.
    func summary(_ secrets: SecretPolicy) -> String {
        let method = method.map { "\($0) " } ?? ""
        if let recordedURL {
            return (method + recordedURL.summary(secrets) + (body == nil ? "" : " with a body")).onOneLine
        }
        let items = query.sorted(by: <).map { "\($0.key)=\(secrets.shown($0.value, named: $0.key))" }
        let details = headerFields.keys.sorted() + (body == nil ? [] : ["a body"])
        return [
            method,
            path.text.isEmpty ? "\"\"" : path.text,
            items.isEmpty ? "" : "?" + items.joined(separator: "&"),
            details.isEmpty ? "" : " with " + details.joined(separator: ", "),
        ].joined().onOneLine
    }
}
