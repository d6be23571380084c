import Teapot

/// Matches requests to an endpoint declared in code. Properties that are not set are ignored.
struct EndpointMatcher: RequestMatcher {
    var path: PathPattern
    var method: Teapot.HTTPMethod?
    /// Of each name, the first items count, in their order.
    var query: Teapot.QueryItems = []
    /// Names are compared without regard to case (RFC 9110, section 5.1), values byte for byte.
    var headerFields: [String: String] = [:]
    /// JSON is compared as values, a form in any order of its fields, anything else byte for byte.
    var body: Data?

    func match(_ received: ReceivedRequest) -> Match? {
        guard let parameters = path.match(received.path) else { return nil }
        return differencesBesidePath(from: received.request).isEmpty ? Match(parameters: parameters) : nil
    }

    func differences(from request: RecordedRequest) -> [Difference] {
        let isPathRight = path.match(request.url.path(percentEncoded: true)) != nil
        let others = differencesBesidePath(from: request)
        return isPathRight ? others : [.path(path.text, received: request.url)] + others
    }

    private func differencesBesidePath(from request: RecordedRequest) -> [Difference] {
        var differences: [Difference] = []
        if let method, method != request.method { differences.append(.method(method, received: request.method)) }
        if !query.items.isEmpty {
            var rest = request.query.items
            for item in query.items {
                let index = rest.firstIndex { $0.name == item.name }
                let received = index.map { rest.remove(at: $0).value ?? "" }
                if received?.isSame(as: item.value ?? "") == true { continue }
                differences.append(.queryItem(item.name, item.value ?? "", received: received))
            }
        }
        for (name, value) in headerFields.sortedFields {
            let received = request.headerFields[name]
            if received?.isSame(as: value) == true { continue }
            differences.append(.headerField(name, value, received: received))
        }
        guard let body else { return differences }
        let type = request.headerFields["Content-Type"].map(MediaType.init)
        let isForm = type?.name == Teapot.Request.Body.form && CanonicalBody.json(in: body) == nil
        if let difference = BodyDifference(expected: body, received: request.body, isForm: isForm) {
            differences.append(.body(difference))
        }
        return differences
    }

    // MARK: - Comparing declarations

    /// The specificity of path, method, query, header fields and body, in this order.
    var specificity: [Int] {
        path.specificity + [method == nil ? 0 : 1, query.items.count, headerFields.count, hasBody ? 1 : 0]
    }

    func ties(with other: any RequestMatcher) -> Bool {
        guard let other = other as? EndpointMatcher else { return false }
        return specificity == other.specificity && path.overlaps(other.path) && method == other.method
            && namesWithoutValue == other.namesWithoutValue && Self.canBoth(items, other.items)
            && Self.canBoth(fields, other.fields) && canBothMatch(other)
    }

    /// Whether a request can have the values of both: of each name, the first ones are equal.
    private static func canBoth(_ fields: [HARField], _ others: [HARField]) -> Bool {
        var others = others
        for field in fields {
            guard let index = others.firstIndex(where: { $0.name == field.name }) else { continue }
            if others.remove(at: index).value != field.value { return false }
        }
        return true
    }

    private var items: [HARField] { query.items.map { HARField($0.name, $0.value ?? "") } }
    private var fields: [HARField] { headerFields.map { HARField($0.key.lowercased(), $0.value) } }

    /// An item without a value, as in `POST photo?uploads`, names an operation. No request has two operations. A dictionary, as a set
    /// of texts would be compiled once more.
    private var namesWithoutValue: [String: String] {
        var names: [String: String] = [:]
        for item in query.items where (item.value ?? "").isEmpty { names[item.name] = "" }
        return names
    }

    /// A comparison with `nil` would compare data.
    private var hasBody: Bool { if case .some = body { true } else { false } }

    private func canBothMatch(_ other: EndpointMatcher) -> Bool {
        guard let body, let otherBody = other.body else { return true }
        return BodyDifference(expected: body, received: otherBody, isForm: false) == nil
            || BodyDifference(expected: body, received: otherBody, isForm: true) == nil
    }

    // MARK: - As text

    /// `GET users/:id?page=2 with X-Client, a body`
    func summary(_ secrets: SecretPolicy) -> String {
        let details = headerFields.sortedFields.map(\.name) + (hasBody ? ["a body"] : [])
        var text = path.text.isEmpty ? "\"\"" : path.text
        if let method { text = "\(method) " + text }
        if !query.items.isEmpty { text += "?" + query.text(secrets) }
        if !details.isEmpty { text += " with " + details.joined(separator: ", ") }
        return text.onOneLine
    }
}
