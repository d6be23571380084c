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
        let items = query.sorted(by: <).map { "\($0.key)=\(secrets.redacted($0.value, named: $0.key))" }
        let details = headerFields.keys.sorted() + (body == nil ? [] : ["a body"])
        return [
            method.map { "\($0) " } ?? "",
            path.text.isEmpty ? "\"\"" : path.text,
            items.isEmpty ? "" : "?" + items.joined(separator: "&"),
            details.isEmpty ? "" : " with " + details.joined(separator: ", "),
        ].joined().onOneLine
    }
}

/// Which requests an override answers.
protocol RequestMatcher: Sendable {
    /// The values of the path's parameters; `nil` when the request is another.
    func match(_ request: RecordedRequest) -> [String: String]?

    /// What a request would have to have otherwise, the most telling first; empty when it matches.
    func differences(from request: RecordedRequest) -> [Difference]

    /// Of several that match, the one with the greater numbers answers, compared one after the other.
    var specificity: [Int] { get }

    /// Whether neither goes first for some request that both match.
    func ties(with other: any RequestMatcher) -> Bool

    /// What was declared, on one line.
    func summary(_ secrets: SecretPolicy) -> String
}

/// The requests that were made of endpoints of a type.
struct EndpointTypeMatcher: RequestMatcher {
    let type: any Endpoint.Type

    func match(_ request: RecordedRequest) -> [String: String]? {
        matches(request) ? [:] : nil
    }

    private func matches(_ request: RecordedRequest) -> Bool {
        request.endpoint.map { Swift.type(of: $0) == type } ?? false
    }

    func differences(from request: RecordedRequest) -> [Difference] {
        matches(request) ? [] : [.endpoint(type, received: request.endpoint.map { Swift.type(of: $0) })]
    }

    /// Before any path.
    var specificity: [Int] { [.max] }

    func ties(with other: any RequestMatcher) -> Bool {
        (other as? EndpointTypeMatcher)?.type == type
    }

    func summary(_ secrets: SecretPolicy) -> String { "\(type)" }
}

/// The trailing components of a path, some of which may stand for any text: `users/:id`.
struct PathPattern: Sendable, Hashable {
    private enum Component: Hashable {
        case literal(String)
        case parameter(String)
    }

    /// As it was declared.
    let text: String
    private let components: [Component]

    init(_ text: some StringProtocol) {
        self.text = String(text)
        components = Self.components(of: text).map { component in
            component.hasPrefix(":") && component.count > 1
                ? .parameter(String(component.dropFirst())) : .literal(component)
        }
    }

    var isEmpty: Bool { components.isEmpty }

    /// What goes first: more components that are given, then more of them altogether.
    var specificity: [Int] {
        [components.count { !isParameter($0) }, components.count]
    }

    /// The values of the parameters; `nil` when the path is another. Without components, only a URL without a path matches.
    func match(_ path: [String]) -> [String: String]? {
        guard !components.isEmpty || path.isEmpty, path.count >= components.count else { return nil }
        var parameters: [String: String] = [:]
        for (component, received) in zip(components, path.suffix(components.count)) {
            switch component {
            case .literal(received): break
            case .literal: return nil
            case .parameter(let name): parameters[name] = received
            }
        }
        return parameters
    }

    /// Whether some path is matched by both, of two patterns with as many components.
    func overlaps(_ other: PathPattern) -> Bool {
        components.count == other.components.count
            && zip(components, other.components).allSatisfy { $0 == $1 || isParameter($0) || isParameter($1) }
    }

    static func components(of path: some StringProtocol) -> [String] {
        path.split(separator: "/").map { component in
            component.utf8.contains(UInt8(ascii: "%"))
                ? component.removingPercentEncoding ?? String(component) : String(component)
        }
    }

    private func isParameter(_ component: Component) -> Bool {
        if case .parameter = component { true } else { false }
    }
}
