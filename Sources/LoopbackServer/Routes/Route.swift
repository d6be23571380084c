/// One address the server answers at.
struct Route: Sendable {
    /// Gets the request and the percent-decoded segments that stood where the pattern has `*`.
    typealias Handler = @Sendable (ReceivedRequest, [String]) -> Response

    /// The methods allowed. `nil` allows any.
    let methods: [String]?

    let handler: Handler

    private let pattern: [String]

    /// - Parameters:
    ///   - methods: The methods allowed. `nil` allows any.
    ///   - pattern: Segments between slashes; `*` stands for any one, `**` at the end for all the rest.
    ///   - handler: Makes the response.
    init(_ methods: [String]?, _ pattern: String, _ handler: @escaping Handler) {
        self.methods = methods
        self.pattern = pattern.split(separator: "/").map(String.init)
        self.handler = handler
    }

    /// The segment that no other pattern of another group begins with.
    var firstSegment: String { pattern.first ?? "" }

    /// The segments in place of `*`, or `nil` when the path is another.
    func parameters(in segments: [String]) -> [String]? {
        let takesRest = pattern.last == "**" && segments.count > pattern.count
        guard segments.count == pattern.count || takesRest else { return nil }
        var parameters: [String] = []
        for (segment, expected) in zip(segments, pattern) {
            if expected == "*" || expected == "**" {
                parameters.append(segment)
            } else if segment != expected {
                return nil
            }
        }
        return parameters
    }
}
