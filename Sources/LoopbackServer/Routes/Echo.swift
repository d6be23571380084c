import Foundation

/// What a request looked like, as httpbin tells it.
struct Echo {
    private let request: ReceivedRequest

    init(_ request: ReceivedRequest) {
        self.request = request
    }

    /// What `/get` and its like answer with.
    var summary: [String: Any] {
        ["args": args, "headers": headers, "origin": "127.0.0.1", "url": url]
    }

    /// What `/gzip` and its like answer with.
    var short: [String: Any] {
        ["headers": headers, "method": request.method, "origin": "127.0.0.1"]
    }

    /// What `/post` and its like answer with.
    var full: [String: Any] {
        let body = EchoedBody(request)
        return summary.merging(
            ["data": body.data, "files": body.files, "form": body.form, "json": body.json],
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The same without the parsed JSON, as `/delay` has it.
    var fullWithoutJSON: [String: Any] {
        full.filter { $0.key != "json" }
    }

    /// What `/anything` answers with.
    var anything: [String: Any] {
        full.merging(["method": request.method]) { first, _ in first }
    }

    /// The query, decoded. A name that is repeated has an array.
    var args: [String: Any] {
        Echo.flatten(Query(request).pairs)
    }

    /// The header fields, capitalised alike, repeated ones joined.
    var headers: [String: String] {
        Dictionary(request.headers.map { (Echo.canonicalName($0.name), $0.value) }) { "\($0),\($1)" }
    }

    private var url: String {
        "http://\(request.header("Host") ?? "127.0.0.1")\(request.target)"
    }

    /// One value for each name, or an array of them where the name was repeated.
    static func flatten(_ pairs: [(name: String, value: String)]) -> [String: Any] {
        Dictionary(grouping: pairs, by: \.name).mapValues { pairs in
            pairs.count == 1 ? pairs[0].value as Any : pairs.map(\.value)
        }
    }

    /// `content-TYPE` as `Content-Type`.
    private static func canonicalName(_ name: String) -> String {
        var startsWord = true
        let bytes = name.utf8.map { byte -> UInt8 in
            defer { startsWord = byte == UInt8(ascii: "-") }
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): return startsWord ? byte - 0x20 : byte
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): return startsWord ? byte : byte + 0x20
            default: return byte
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
