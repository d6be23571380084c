import Teapot

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
