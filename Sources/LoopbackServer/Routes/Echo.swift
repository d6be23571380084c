import Foundation

/// The description of a request, in httpbin's format.
struct Echo {
    private let request: ReceivedRequest

    init(_ request: ReceivedRequest) {
        self.request = request
    }

    /// The response of `/get` and similar routes.
    var summary: [String: JSONValue] {
        ["args": .object(args), "headers": .object(headers), "origin": origin, "url": .string(url)]
    }

    /// The response of `/gzip` and similar routes.
    var short: [String: JSONValue] {
        ["headers": .object(headers), "method": .string(request.method), "origin": origin]
    }

    /// The response of `/post` and similar routes.
    var full: [String: JSONValue] {
        let body = EchoedBody(request)
        return summary.merging(
            ["data": .string(body.data), "files": .object(body.files), "form": .object(body.form), "json": body.json],
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The same without the parsed JSON, as `/delay` has it.
    var fullWithoutJSON: [String: JSONValue] {
        full.filter { $0.key != "json" }
    }

    /// The response of `/anything`.
    var anything: [String: JSONValue] {
        full.merging(["method": .string(request.method)]) { first, _ in first }
    }

    /// The query, decoded. A name that is repeated has an array.
    var args: [String: JSONValue] {
        Echo.flatten(Query(request).pairs)
    }

    /// The header fields, capitalised alike, repeated ones joined.
    var headers: [String: JSONValue] {
        let fields = request.headers.map { (Echo.canonicalName($0.name), $0.value) }
        return Dictionary(fields) { "\($0),\($1)" }.mapValues(JSONValue.string)
    }

    private var origin: JSONValue { .string("127.0.0.1") }

    private var url: String {
        "http://\(request.header("Host") ?? "127.0.0.1")\(request.target)"
    }

    /// One value for each name, or an array of them where the name was repeated.
    static func flatten(_ pairs: [(name: String, value: String)]) -> [String: JSONValue] {
        Dictionary(grouping: pairs, by: \.name).mapValues { pairs in
            pairs.count == 1 ? .string(pairs[0].value) : .array(pairs.map { .string($0.value) })
        }
    }

    /// `content-TYPE` as `Content-Type`.
    private static func canonicalName(_ name: String) -> String {
        name.split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
            .joined(separator: "-")
    }
}
