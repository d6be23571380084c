import Teapot

/// Matches requests to an endpoint declared in code. Properties that are not set are ignored.
struct EndpointMatcher: RequestMatcher {
    var path: PathPattern
    var method: Teapot.HTTPMethod?
    /// Of each name, the first items count, in their order.
    var query: Teapot.QueryItems = []
    /// Names are compared without regard to case (RFC 9110, section 5.1), values byte for byte.
    var headerFields: [String: String] = [:]
    /// JSON is compared as values, anything else byte for byte.
    var body: Data?

    func match(_ request: RecordedRequest) -> [String: String]? {
        guard let parameters = path.match(request) else { return nil }
        return differencesBesidePath(from: request).isEmpty ? parameters : nil
    }

    func differences(from request: RecordedRequest) -> [Difference] {
        let isPathRight = path.match(request) != nil
        return (isPathRight ? [] : [.path(path.text, received: request.url)]) + differencesBesidePath(from: request)
    }

    private func differencesBesidePath(from request: RecordedRequest) -> [Difference] {
        var differences: [Difference] = []
        if let method, method != request.method { differences.append(.method(method, received: request.method)) }
        if !query.items.isEmpty {
            var rest = request.query.items
            for item in query.items {
                let index = rest.firstIndex { $0.name == item.name }
                let (value, received) = (item.value ?? "", index.map { rest.remove(at: $0).value ?? "" })
                guard !Self.isSame(value, received) else { continue }
                differences.append(.queryItem(item.name, value, received: received))
            }
        }
        for (name, value) in headerFields.sortedFields {
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

    /// `String` equates a letter with its decomposed form.
    private static func isSame(_ text: String, _ received: String?) -> Bool {
        received.map { $0.utf8.elementsEqual(text.utf8) } ?? false
    }

    // MARK: - Comparing declarations

    /// The specificity of path, method, query, header fields and body, in this order.
    var specificity: [Int] {
        path.specificity + [method == nil ? 0 : 1, query.items.count, headerFields.count, body == nil ? 0 : 1]
    }

    func ties(with other: any RequestMatcher) -> Bool {
        guard let other = other as? EndpointMatcher else { return false }
        return specificity == other.specificity && path.overlaps(other.path) && method == other.method
            && namesWithoutValue == other.namesWithoutValue && Self.canBoth(itemValues, other.itemValues)
            && Self.canBoth(fieldValues, other.fieldValues)
            && canBothMatch(other)
    }

    /// Whether a request can have the values of both: of each name, the first ones are equal.
    private static func canBoth<Name>(_ values: [Name: [String]], _ others: [Name: [String]]) -> Bool {
        values.allSatisfy { name, values in zip(values, others[name] ?? []).allSatisfy(==) }
    }

    private var itemValues: [String: [String]] {
        Dictionary(grouping: query.items, by: \.name).mapValues { $0.map { $0.value ?? "" } }
    }

    /// An item without a value, as in `POST photo?uploads`, names an operation. No request has two of them.
    private var namesWithoutValue: Set<String> {
        Set(query.items.filter { ($0.value ?? "").isEmpty }.map(\.name))
    }

    private var fieldValues: [FieldName: [String]] {
        Dictionary(headerFields.map { (FieldName($0.key), [$0.value]) }) { first, _ in first }
    }

    private func canBothMatch(_ other: EndpointMatcher) -> Bool {
        guard let body, let otherBody = other.body else { return true }
        return difference(of: body, from: otherBody) == nil
    }

    // MARK: - As text

    /// `GET users/:id?page=2 with X-Client, a body`
    func summary(_ secrets: SecretPolicy) -> String {
        let details = headerFields.sortedFields.map(\.name) + (body == nil ? [] : ["a body"])
        return [
            method.map { "\($0) " } ?? "",
            path.text.isEmpty ? "\"\"" : path.text,
            query.items.isEmpty ? "" : "?" + query.text(secrets),
            details.isEmpty ? "" : " with " + details.joined(separator: ", "),
        ].joined().onOneLine
    }
}

/// Decides which requests an override answers.
protocol RequestMatcher: Sendable {
    /// The values of the path's parameters; `nil` if the request does not match.
    func match(_ request: RecordedRequest) -> [String: String]?

    /// The differences between a request and a matching one, the most important first; empty if it matches.
    func differences(from request: RecordedRequest) -> [Difference]

    /// The specificity, compared number by number: of several matches, the greatest answers.
    var specificity: [Int] { get }

    /// Whether both would match some of the same requests, and neither takes precedence.
    func ties(with other: any RequestMatcher) -> Bool

    /// The declaration on one line.
    func summary(_ secrets: SecretPolicy) -> String
}

/// Matches requests made from endpoints of a type.
struct EndpointTypeMatcher: RequestMatcher {
    let type: any Endpoint.Type

    func match(_ request: RecordedRequest) -> [String: String]? {
        matches(request) ? [:] : nil
    }

    private func matches(_ request: RecordedRequest) -> Bool {
        request.endpoint.map { Swift.type(of: $0.value) == type } ?? false
    }

    func differences(from request: RecordedRequest) -> [Difference] {
        matches(request) ? [] : [.endpoint(type, received: request.endpoint.map { Swift.type(of: $0.value) })]
    }

    /// Takes precedence over any path.
    var specificity: [Int] { [.max] }

    func ties(with other: any RequestMatcher) -> Bool {
        (other as? EndpointTypeMatcher)?.type == type
    }

    func summary(_ secrets: SecretPolicy) -> String { "\(type)" }
}

/// The last components of a path, some of which can match any text: `users/:id`. A slash at the end must be in the URL, too.
struct PathPattern: Sendable {
    private enum Component: Equatable {
        case literal(String)
        case parameter(String)
    }

    /// The pattern as declared.
    let text: String
    private let components: [Component]
    private let endsInSlash: Bool

    init(_ text: some StringProtocol) {
        self.text = String(text)
        let path = RequestPath.normalized(self.text)
        components = Self.components(of: path).map { component in
            component.hasPrefix(":") && component.count > 1
                ? .parameter(String(component.dropFirst())) : .literal(component)
        }
        endsInSlash = !components.isEmpty && path.utf8.last == UInt8(ascii: "/")
    }

    var isEmpty: Bool { components.isEmpty }

    /// The specificity: the number of fixed components, then of all components, then whether a slash follows.
    var specificity: [Int] {
        [components.count { !isParameter($0) }, components.count, endsInSlash ? 1 : 0]
    }

    /// The values of the parameters; `nil` if the path does not match. An empty pattern only matches a URL without a path.
    func match(_ request: RecordedRequest) -> [String: String]? {
        let path = request.pathComponents
        guard !components.isEmpty || path.isEmpty, path.count >= components.count else { return nil }
        guard !endsInSlash || request.url.path().utf8.last == UInt8(ascii: "/") else {
            return nil
        }
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

    /// Whether some path matches both patterns, which have the same number of components.
    func overlaps(_ other: PathPattern) -> Bool {
        components.count == other.components.count
            && zip(components, other.components).allSatisfy { $0 == $1 || isParameter($0) || isParameter($1) }
    }

    static func components(of path: some StringProtocol) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { bytes in
            let component = String(decoding: bytes, as: UTF8.self)
            return bytes.contains(UInt8(ascii: "%")) ? component.removingPercentEncoding ?? component : component
        }
    }

    private func isParameter(_ component: Component) -> Bool {
        if case .parameter = component { true } else { false }
    }
}
