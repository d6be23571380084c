import Foundation

/// The command line of the example.
struct Arguments {
    static let usage = """
        usage: TeapotExample [--all] [--base-url URL]

          --all            run every step, not only those that show their code
          --base-url URL   talk to the httpbin at this URL instead of an embedded server
        """

    private(set) var runsAll = false
    /// The URL of the server; the embedded one if `nil`.
    private(set) var baseURL: URL?

    /// Reads arguments; `nil` if they are invalid.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let name = rest.popFirst() {
            switch name {
            case "--all" where !runsAll: runsAll = true
            case "--base-url" where baseURL == nil:
                let url = rest.popFirst().flatMap { URL(string: $0) }
                guard let url, url.host() != nil, ["http", "https"].contains(url.scheme) else { return nil }
                baseURL = url
            default: return nil
            }
        }
    }
}
