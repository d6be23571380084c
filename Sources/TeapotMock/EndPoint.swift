internal import Teapot

/// The trailing components of a path that is answered with a file of its own.
struct EndPoint: Sendable {
    let filename: String
    private let components: [String]

    init(_ endPoint: String, filename: String) {
        self.filename = filename
        components = Self.components(of: endPoint.prefix { $0 != "?" && $0 != "#" })
    }

    /// The end point that fits best: the one with the most components, and of two alike the later one.
    static func best(of endPoints: [EndPoint], for url: URL) -> EndPoint? {
        let path = components(of: url.path(percentEncoded: true))
        return
            endPoints
            .filter { !$0.components.isEmpty && path.suffix($0.components.count) == $0.components[...] }
            .reduce(nil) { best, next in
                if let best, best.components.count > next.components.count { best } else { next }
            }
    }

    private static func components(of path: some StringProtocol) -> [String] {
        path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
    }
}
