import Foundation

/// What the example was started with.
struct Arguments {
    /// The server to talk to; the embedded one if `nil`.
    private(set) var baseURL: URL?

    static let usage = """
        usage: TeapotExample [--base-url URL]

          --base-url URL   talk to the httpbin at this URL instead of an embedded server
        """

    /// Reads arguments; `nil` when they make no sense.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)
        while !rest.isEmpty {
            guard rest.removeFirst() == "--base-url", !rest.isEmpty else { return nil }
            guard let url = URL(string: rest.removeFirst()), url.host() != nil else { return nil }
            guard url.scheme == "http" || url.scheme == "https" else { return nil }
            baseURL = url
        }
    }
}
