import Teapot

/// Matches the requests of an entry in a recording. Entries with equal keys answer in order.
struct RecordedKey: RequestMatcher, Hashable {
    let method: HTTPMethod
    let url: RecordedURL
    /// `nil` for any.
    let body: CanonicalBody?
    /// The bytes before the first and after the last redacted part of the body; `nil` if nothing was redacted.
    private let edges: Edges?

    private struct Edges: Hashable {
        let head: String
        let tail: String
    }

    init(method: HTTPMethod, url: RecordedURL, body: Data?) {
        self.method = method
        self.url = url
        self.body = body.map(CanonicalBody.init)
        edges = self.body.flatMap(Self.edges)
    }

    func match(_ request: RecordedRequest) -> [String: String]? {
        matches(request) ? [:] : nil
    }

    /// The most likely difference is checked first, the slowest check comes last.
    private func matches(_ request: RecordedRequest) -> Bool {
        guard method == request.method, request.received.url(of: request).map(url.matches) == true else { return false }
        guard let body else { return true }
        let received = request.received.body(of: request)
        if body == received { return true }
        return mayMatch(received) && bodyDifference(from: request) == nil
    }

    func differences(from request: RecordedRequest) -> [Difference] {
        url.differences(from: request.url)
            + (method == request.method ? [] : [.method(method, received: request.method)])
            + (bodyDifference(from: request).map { [.body($0)] } ?? [])
    }

    private func bodyDifference(from request: RecordedRequest) -> BodyDifference? {
        body.flatMap { BodyDifference(expected: $0.data, received: request.body, isRecorded: true) }
    }

    /// Lower than that of declarations in code; among entries, the one with the least redacted comes first.
    var specificity: [Int] {
        let gaps = body.map { RedactedText(text: String(decoding: $0.data, as: UTF8.self)).gaps }
        return [-1, -url.gaps - (gaps ?? 0), body == nil ? 0 : 1]
    }

    func ties(with other: any RequestMatcher) -> Bool { false }

    func summary(_ secrets: SecretPolicy) -> String {
        "\(method) \(url.summary(secrets))\(body == nil ? "" : " with a body")".onOneLine
    }

    /// Avoids most comparisons that would parse JSON.
    private func mayMatch(_ received: CanonicalBody) -> Bool {
        guard let edges else { return false }
        guard case .json(let text) = received else { return true }
        return text.utf8.starts(with: edges.head.utf8)
            && text.utf8.suffix(edges.tail.utf8.count).elementsEqual(edges.tail.utf8)
    }

    private static func edges(of body: CanonicalBody) -> Edges? {
        let text = String(decoding: body.data, as: UTF8.self)
        let gaps = text.ranges(of: SecretPolicy.replacement)
        guard let first = gaps.first, let last = gaps.last else { return nil }
        guard case .json = body else { return Edges(head: "", tail: "") }
        // A redacted JSON string matches any value, so the quotation marks are optional.
        let (head, tail) = (text[..<first.lowerBound], text[last.upperBound...])
        return Edges(
            head: String(head.last == "\"" ? head.dropLast() : head),
            tail: String(tail.first == "\"" ? tail.dropFirst() : tail)
        )
    }
}
