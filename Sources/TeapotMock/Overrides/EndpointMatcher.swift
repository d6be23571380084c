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

    func match(_ received: inout ReceivedRequest) -> Match? {
        guard let parameters = path.match(received.path) else { return nil }
        return differencesBesidePath(from: received.request).isEmpty ? Match(parameters: parameters) : nil
    }

    func differences(from request: RecordedRequest) -> [Difference] {
        let isPathRight = path.match(request.url.path(percentEncoded: true)) != nil
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
        let type = request.headerFields["Content-Type"].map(MediaType.init)
        let isForm = type?.name == Teapot.Request.Body.form && body.flatMap(CanonicalBody.json(in:)) == nil
        if let body, let difference = BodyDifference(expected: body, received: request.body, isForm: isForm) {
            differences.append(.body(difference))
        }
        return differences
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
            && namesWithoutValue == other.namesWithoutValue
            && Self.canBoth(query.valuesByName, other.query.valuesByName)
            && Self.canBoth(fieldValues, other.fieldValues)
            && canBothMatch(other)
    }

    /// Whether a request can have the values of both: of each name, the first ones are equal.
    private static func canBoth<Name>(_ values: [Name: [String]], _ others: [Name: [String]]) -> Bool {
        values.allSatisfy { name, values in zip(values, others[name] ?? []).allSatisfy(==) }
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
        return [false, true].contains { BodyDifference(expected: body, received: otherBody, isForm: $0) == nil }
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
