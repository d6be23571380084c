#if os(Linux)
    import Teapot

    /// The header fields of an exchange. Of libcurl's own fields only `Accept: */*` and `Host` stay. Most requests of a transport have the
    /// same fields, so the last list is kept while there are requests, and no longer, since it may contain a credential.
    struct FieldList {
        private let codings: String
        private var last: (fields: [String: String], hasChunks: Bool, list: CurlList)?

        init(_ library: CurlLibrary) { codings = library.canDecode ? SentFields.codings : SentFields.identity }

        mutating func list(for exchange: CurlExchange) throws(URLError) -> CurlList {
            let fields = exchange.request.allHTTPHeaderFields ?? [:]
            let hasChunks = !exchange.body.isEmpty && exchange.body.size == nil
            if let last, last.hasChunks == hasChunks, Self.areSame(last.fields, fields) { return last.list }
            let lines = SentFields.fields(of: exchange.request, accepting: codings).sorted { $0.name < $1.name }
                .map { name, value in
                    value == SentFields.removal ? "\(name):" : value.isEmpty ? "\(name);" : "\(name): \(value)"
                }
            // libcurl drops the coding over HTTP/2, which needs none.
            let list = try CurlList(["Expect:"] + lines + (hasChunks ? ["Transfer-Encoding: chunked"] : []))
            last = (fields, hasChunks, list)
            return list
        }

        var isEmpty: Bool { last == nil }

        mutating func forget() { last = nil }

        /// Compares bytes, since texts can be equal and be sent as different bytes: "é" has two forms.
        private static func areSame(_ fields: [String: String], _ others: [String: String]) -> Bool {
            fields.count == others.count
                && fields.allSatisfy { name, value in
                    guard var (value, other) = others[name].map({ (value, $0) }) else { return false }
                    return value.withUTF8 { value in other.withUTF8(value.elementsEqual) }
                }
        }
    }
#endif
