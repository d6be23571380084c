public import TeapotFoundation

extension Teapot {
    /// A link from a response to another resource, from the `Link` header field (RFC 8288).
    public struct Link: CustomStringConvertible, Sendable, Equatable {
        /// The target, resolved against the URL of the response (RFC 3986, section 5), without fragment and user information.
        public let url: URL
        /// The relation types, such as `next`, in lowercase.
        public let relations: [String]
        /// All parameters, `rel` and `title*` included, without quotation marks but otherwise unchanged. Names are in
        /// lowercase; if a name repeats, the first value counts.
        ///
        /// A link with an `anchor` applies to the resource of the anchor, and not to the response (section 3.2).
        public let parameters: [String: String]

        /// The relation types and URL, secrets of ``SecretPolicy/standard`` redacted.
        public var description: String {
            "\(relations.joined(separator: " ").onOneLine): \(SecretPolicy.standard.redacted(url))"
        }
    }
}

extension Teapot.Response {
    /// The links of the `Link` header fields, in order (RFC 8288, appendix B.2). Links without a relation type are omitted, and
    /// so are those that are not http or https URLs.
    public var links: [Teapot.Link] {
        var links: [Teapot.Link] = []
        var scanner = FieldScanner(headerFields["Link"] ?? "")
        while true {
            scanner.skip(FieldScanner.separators)
            guard scanner.take("<") else { return links }
            let target = scanner.text(before: ByteSet(">"))
            guard scanner.take(">") else { return links }
            var parameters: [String: String] = [:]
            for (name, value) in scanner.parameters() where parameters[name] == nil { parameters[name] = value }
            // Skips anything that is neither a parameter nor the next link.
            scanner.skip(to: ByteSet(","))
            let words = (parameters["rel"] ?? "").lowercased().replacingOccurrences(of: "\t", with: " ")
            let relations = words.components(separatedBy: " ").filter { !$0.isEmpty }
            if !relations.isEmpty, let url = resolved(target) {
                links.append(Teapot.Link(url: url, relations: relations, parameters: parameters))
            }
        }
    }

    /// The first link of a relation type, such as `next`, that applies to the response itself, so without an `anchor`. The type is
    /// compared without regard to case (RFC 8288, section 2.1). `nil` if there is none.
    public func link(relation: String) -> Teapot.Link? {
        let relation = relation.lowercased()
        return links.first { $0.relations.contains(relation) && $0.parameters["anchor"] == nil }
    }

    /// Makes a `GET` request for the target of a link of this response, with the URL as its path. A ``Teapot/Teapot`` sends it to the
    /// origin of its base URL only: a request to another origin fails with `invalidRequestPath`, and no credential is sent there.
    public func request(for link: Teapot.Link) -> Teapot.Request {
        Teapot.Request(path: Teapot.Path(link.url.absoluteString))
    }

    /// Makes a `GET` request for a reference, such as the `Location` of a 201, as for a link. A relative reference such as `/notes/1`
    /// is resolved against the URL of the response (RFC 3986, section 5).
    /// - Throws: `invalidRequestPath` if the reference does not resolve to an http or https URL.
    public func request(for reference: String) throws(TeapotError) -> Teapot.Request {
        guard let url = resolved(reference) else {
            throw .invalidRequestPath(reason: "the reference does not resolve to an http or https URL")
        }
        return Teapot.Request(path: Teapot.Path(url.absoluteString))
    }

    private func resolved(_ reference: String) -> URL? {
        head.url?.resolving(reference).flatMap { Origin($0) == nil ? nil : $0 }
    }
}
