internal import Teapot

/// The URL of an entry: text, since what is redacted in it is no URL any more.
enum HARURL {
    /// Where the path begins, which is where scheme, host and port end.
    static func pathStart(in url: String) -> String.Index {
        let authority = url.range(of: "//")?.upperBound ?? url.startIndex
        return url[authority...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? url.endIndex
    }

    /// Scheme, host and port, as they stand there, without a user.
    static func origin(of url: String) -> String {
        let origin = url[..<pathStart(in: url)]
        guard let user = origin.range(of: "@", options: .backwards), let scheme = origin.range(of: "//") else {
            return String(origin)
        }
        return String(origin[..<scheme.upperBound] + origin[user.upperBound...])
    }

    /// The decoded items of a query.
    static func queryItems(of url: String) -> [HARField] {
        let url = url.prefix { $0 != "#" }
        guard let start = url.firstIndex(of: "?") else { return [] }
        return url[start...].dropFirst().split(separator: "&").map { item in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { decoded(String($0)) }
            return HARField(pair[0], pair.count == 2 ? pair[1] : "")
        }
    }

    /// As browsers and forms encode it, a plus sign is a space.
    private static func decoded(_ text: String) -> String {
        let text = text.replacing("+", with: " ")
        return text.removingPercentEncoding ?? text
    }
}
