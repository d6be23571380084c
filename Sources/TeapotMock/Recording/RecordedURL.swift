import Teapot

/// The whole URL of an entry or of a request, without fragment and user; redacted parts of an entry match any text.
final class RecordedURL: Sendable {
    let origin: Origin
    /// Decoded, like the items of the query.
    let path: String
    private let segments: [String]
    let items: [HARField]
    /// The number of redacted parts.
    let gaps: Int
    /// The number of bytes of the path and of the items' values that are compared.
    let comparedSize: Int

    /// `nil` unless it is an http or https URL; browsers also record `data:` URLs.
    init?(_ url: String) {
        guard let origin = URL(string: HARURL.origin(of: url)).flatMap(Origin.init) else { return nil }
        self.origin = origin
        let path = url[HARURL.pathStart(in: url)...].prefix { $0 != "?" && $0 != "#" }
        segments = Self.segments(of: RequestPath.normalized(String(path)))
        self.path = segments.joined(separator: "/")
        items = HARURL.queryItems(of: url).sortedFields
        var (gaps, comparedSize) = (0, 0)
        for text in [self.path] + items.map(\.value) {
            let text = RedactedText(text: text)
            gaps += text.gaps
            comparedSize += text.comparedSize
        }
        self.gaps = gaps
        self.comparedSize = comparedSize
    }

    /// A text that differs from that of any other URL.
    var id: String { "\(origin) \(segments) \(items)" }

    func matches(_ received: RecordedURL, _ values: inout SecretsOfReplay) -> Bool {
        guard isPathRight(received, &values), origin == received.origin, items.count == received.items.count else {
            return false
        }
        guard gaps == 0 else { return queryDifferences(from: received.items, &values).isEmpty }
        for (index, item) in items.enumerated() {
            let other = received.items[index]
            guard item.name == other.name, item.value.isSame(as: other.value) else { return false }
        }
        return true
    }

    /// The differences from an http or https URL.
    func differences(from url: URL, _ values: inout SecretsOfReplay) -> [Difference] {
        guard let received = RecordedURL(url.absoluteString) else { return [.origin(origin, received: url)] }
        var differences: [Difference] = []
        if !isPathRight(received, &values) { differences.append(.path(path, received: url)) }
        if received.origin != origin { differences.append(.origin(origin, received: url)) }
        return differences + queryDifferences(from: received.items, &values)
    }

    private func isPathRight(_ received: RecordedURL, _ values: inout SecretsOfReplay) -> Bool {
        if received.segments == segments { return true }
        // A slash may have been redacted, too.
        let path = RedactedText(text: path)
        return gaps > 0 && path.gaps > 0 && path.matches(received.path, &values)
    }

    /// In any order.
    private func queryDifferences(from received: [HARField], _ values: inout SecretsOfReplay) -> [Difference] {
        var received = received
        var missing: [HARField] = []
        for item in items {
            let text = RedactedText(text: item.value)
            let index = received.firstIndex { $0.name == item.name && text.matches($0.value, &values) }
            if let index { received.remove(at: index) } else { missing.append(item) }
        }
        var differences: [Difference] = []
        for item in missing {
            let index = received.firstIndex { $0.name == item.name }
            let value = index.map { received.remove(at: $0).value }
            differences.append(.queryItem(item.name, item.value, received: value))
        }
        return differences + received.map { .extraQueryItem($0.name) }
    }

    /// Path and query, on one line.
    func summary(_ secrets: SecretPolicy) -> String {
        let query = Teapot.QueryItems(items.map { URLQueryItem(name: $0.name, value: $0.value) }).text(secrets)
        return secrets.redacted(line: path) + (query.isEmpty ? "" : "?" + query)
    }

    /// The decoded parts between slashes: `a%2Fb` is one, and `/a/` has an empty one at its end.
    private static func segments(of path: String) -> [String] {
        let parts = (path.isEmpty ? "/" : path)[...].parts(between: "/", omittingEmpty: false)
        return parts.map { $0.removingPercentEncoding ?? String($0) }
    }
}

/// The URL of an entry, as text, since redaction makes it invalid.
enum HARURL {
    /// The beginning of the path, after scheme, host and port.
    static func pathStart(in url: String) -> String.Index {
        let authority = url.range(of: "//")?.upperBound ?? url.startIndex
        return url[authority...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? url.endIndex
    }

    /// The scheme, host and port as written, without a user.
    @inline(never) static func origin(of url: String) -> String {
        let origin = url[..<pathStart(in: url)]
        guard let user = origin.range(of: "@", options: .backwards), let scheme = origin.range(of: "//") else {
            return String(origin)
        }
        return String(origin[..<scheme.upperBound] + origin[user.upperBound...])
    }

    /// The decoded items of a query.
    static func queryItems(of url: String) -> [HARField] {
        Teapot.QueryItems(ofURL: url).items.map { HARField($0.name, $0.value ?? "") }
    }
}
