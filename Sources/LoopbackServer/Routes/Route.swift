/// One address the server answers at.
struct Route: Sendable {
    /// Gets the request and the percent-decoded segments that stood where the pattern has `*`.
    typealias Handler = @Sendable (ReceivedRequest, [String]) -> Response

    /// The methods allowed. `nil` allows any.
    let methods: [String]?

    let handler: Handler

    private let pattern: [String]

    /// - Parameter pattern: Segments between slashes; `*` stands for any one.
    init(_ methods: [String]?, _ pattern: String, _ handler: @escaping Handler) {
        self.methods = methods
        self.pattern = pattern.split(separator: "/").map(String.init)
        self.handler = handler
    }

    /// The segment that no other pattern of another group begins with.
    var firstSegment: String { pattern.first ?? "" }

    /// The segments in place of `*`, or `nil` when the path is another.
    func parameters(in segments: [String]) -> [String]? {
        guard segments.count == pattern.count else { return nil }
        var parameters: [String] = []
        for (segment, expected) in zip(segments, pattern) {
            if expected == "*" {
                parameters.append(segment)
            } else if segment != expected {
                return nil
            }
        }
        return parameters
    }
}
