#if os(Linux)
    import Teapot

    /// The header fields of an exchange. Of libcurl's own fields only `Accept: */*` and `Host` stay. Most requests of a transport have the
    /// same fields, so the last list is kept while there are requests, and no longer, since it may contain a credential.
    final class FieldList {
        private let codings: String
        private var last: (fields: [String: String], hasChunks: Bool, list: CurlList)?

        init(_ library: CurlLibrary) { codings = library.canDecode ? SentFields.codings : SentFields.identity }

        func list(for exchange: CurlExchange) throws(URLError) -> CurlList {
            let fields = exchange.request.allHTTPHeaderFields ?? [:]
            let hasChunks = !exchange.body.isEmpty && exchange.body.size == nil
            if let last, last.hasChunks == hasChunks, Self.areSame(last.fields, fields) { return last.list }
            let sent = SentFields.fields(of: exchange.request, accepting: codings)
            var lines = ["Expect:"]
            for place in Sorting.places(sent.count, { sent[$0].name < sent[$1].name }) {
                let (name, value) = sent[place]
                lines.append(
                    value == SentFields.removal ? "\(name):" : value.isEmpty ? "\(name);" : "\(name): \(value)"
                )
            }
            // libcurl drops the coding over HTTP/2, which needs none.
            if hasChunks { lines.append("Transfer-Encoding: chunked") }
            let list = try CurlList(lines)
            last = (fields, hasChunks, list)
            return list
        }

        var isEmpty: Bool { last == nil }

        func forget() { last = nil }

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
